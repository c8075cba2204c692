#pragma once
#include "Curl.h"
#include "Inflate.h"
#include "System.h"
