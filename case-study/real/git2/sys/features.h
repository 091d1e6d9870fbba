// Where libgit2 looked for its features before 1.6.

#include "../../git2_features.h"
