// How Curl_urldecode of curl takes the escapes out of a part of an address.
// pair: curl-sys 0.4.53+curl-7.82.0 (7.82.0) to curl-sys 0.4.61+curl-8.0.1 (8.0.1)
// pair: curl-sys 0.4.79+curl-8.12.0 (8.12.0) to curl-sys 0.4.82+curl-8.14.1 (8.14.1)
// pair: curl-sys 0.4.82+curl-8.14.1 (8.14.1) to curl-sys 0.4.91+curl-8.22.0 (8.22.0)
// sources: curl/lib curl/include
// options: --entry unescape --symbolic-globals none --array text=7 --no-null

#include "curl-settings.h"
#include "source/escape.c"
#if __has_include("source/curl_ctype.c")
#include "source/curl_ctype.c"
#endif
#if __has_include("source/curlx/strparse.c")
#include "source/curlx/strparse.c"
#endif
#undef malloc
#undef free

curl_malloc_callback Curl_cmalloc = malloc;
curl_free_callback Curl_cfree = free;

unsigned char curlx_ultouc(unsigned long number) {
    return (unsigned char)number;
}

int unescape(char *text) {
    char *result = 0;
    size_t length = 0;
    CURLcode code = Curl_urldecode(text, 7, &result, &length, REJECT_CTRL);
    return code == CURLE_OK ? (int)length : -1;
}
