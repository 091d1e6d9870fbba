// How Curl_urldecode of curl takes the escapes out of a part of an address.
// releases: curl-sys 0.4.65+curl-8.2.1 (8.2.1), curl-sys 0.4.67+curl-8.3.0 (8.3.0), curl-sys 0.4.68+curl-8.4.0 (8.4.0), curl-sys 0.4.70+curl-8.5.0 (8.5.0)
// releases: curl-sys 0.4.72+curl-8.6.0 (8.6.0), curl-sys 0.4.73+curl-8.8.0 (8.8.0), curl-sys 0.4.74+curl-8.9.0 (8.9.0), curl-sys 0.4.75+curl-8.10.0 (8.10.0)
// releases: curl-sys 0.4.77+curl-8.10.1 (8.10.1), curl-sys 0.4.78+curl-8.11.0 (8.11.0), curl-sys 0.4.79+curl-8.12.0 (8.12.0), curl-sys 0.4.80+curl-8.12.1 (8.12.1)
// releases: curl-sys 0.4.82+curl-8.14.1 (8.14.1), curl-sys 0.4.83+curl-8.15.0 (8.15.0), curl-sys 0.4.84+curl-8.17.0 (8.17.0), curl-sys 0.4.85+curl-8.18.0 (8.18.0)
// releases: curl-sys 0.4.87+curl-8.19.0 (8.19.0), curl-sys 0.4.89+curl-8.20.0 (8.20.0), curl-sys 0.4.90+curl-8.21.0 (8.21.0), curl-sys 0.4.91+curl-8.22.0 (8.22.0)
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
