#pragma once
int winch_term(void);
