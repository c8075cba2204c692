#pragma once
#include "Curl.h"
#include "Files.h"
#include "Inflate.h"
#include "Threads.h"
