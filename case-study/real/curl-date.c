// How curl_getdate of curl reads a date.
// pair: curl-sys 0.4.53+curl-7.82.0 (7.82.0) to curl-sys 0.4.61+curl-8.0.1 (8.0.1)
// pair: curl-sys 0.4.79+curl-8.12.0 (8.12.0) to curl-sys 0.4.82+curl-8.14.1 (8.14.1)
// sources: curl/lib curl/include
// options: --entry date --symbolic-globals none --array text=5 --no-null

#include "curl-settings.h"
#include "source/parsedate.c"
#if __has_include("source/curl_ctype.c")
#include "source/curl_ctype.c"
#endif
#if __has_include("source/curlx/strparse.c")
#include "source/curlx/strparse.c"
#endif
#include <strings.h>

int curl_strnequal(const char *first, const char *second, size_t length) {
    return strncasecmp(first, second, length) == 0;
}

int Curl_strncasecompare(const char *first, const char *second, size_t length) {
    return strncasecmp(first, second, length) == 0;
}

int Curl_strcasecompare(const char *first, const char *second) {
    return strcasecmp(first, second) == 0;
}

int curlx_sltosi(long number) {
    return (int)number;
}

long date(char *text) {
    text[4] = 0;
    return curl_getdate(text, 0);
}
