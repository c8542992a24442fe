/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/http_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#define UNIX_PREFIX "unix:"

/* Reads a port: digits to the end of the text. */
static bool read_port(const char *text, in_port_t *ret_port)
{
    size_t n = strspn(text, "0123456789");
    unsigned long port;

    if (n == 0 || n > 5 || text[n] != '\0')
        return false;
    port = strtoul(text, NULL, 10);
    *ret_port = htons((in_port_t)port);
    return port <= UINT16_MAX;
}

static bool read_v4(const char *host, in_port_t port, struct tk_http_address *a)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = port};

    if (inet_pton(AF_INET, host, &in.sin_addr) != 1)
        return false;
    memcpy(&a->tcp, &in, sizeof(in));
    a->size = sizeof(in);
    a->loopback = ntohl(in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return true;
}

static bool read_v6(const char *host, in_port_t port, struct tk_http_address *a)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = port};

    if (inet_pton(AF_INET6, host, &in6.sin6_addr) != 1)
        return false;
    memcpy(&a->tcp, &in6, sizeof(in6));
    a->size = sizeof(in6);
    a->loopback = IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
    return true;
}

static bool read_path(const char *path, struct tk_http_address *a)
{
    a->path = path;
    a->loopback = true;
    return path[0] == '/' && strlen(path) < sizeof(((struct sockaddr_un *)NULL)->sun_path);
}

bool tk_http_address_read(const char *text, struct tk_http_address *ret_address)
{
    const char *colon = strrchr(text, ':');
    char host[INET6_ADDRSTRLEN + 2];
    size_t n = colon ? (size_t)(colon - text) : sizeof(host);
    in_port_t port;

    *ret_address = (struct tk_http_address){.path = NULL};
    if (strncmp(text, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0)
        return read_path(text + strlen(UNIX_PREFIX), ret_address);
    if (n >= sizeof(host) || !read_port(colon + 1, &port))
        return false;
    memcpy(host, text, n);
    host[n] = '\0';
    if (n < 2 || host[0] != '[' || host[n - 1] != ']')
        return read_v4(host, port, ret_address);
    host[n - 1] = '\0';
    return read_v6(host + 1, port, ret_address);
}

bool tk_http_host_is_local(const char *host)
{
    size_t n = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    char name[INET6_ADDRSTRLEN + 2];
    unsigned char address[sizeof(struct in6_addr)];

    if (n >= sizeof(name) || n > strlen(host))
        return false;
    if (host[n] == ':' && host[n + 1 + strspn(host + n + 1, "0123456789")] != '\0')
        return false;
    if (host[n] != ':' && host[n] != '\0')
        return false;
    memcpy(name, host, n);
    name[n] = '\0';
    if (name[0] != '[')
        return strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, address) == 1;
    name[n - 1] = '\0';
    return inet_pton(AF_INET6, name + 1, address) == 1;
}

void tk_http_address_of(int fd, char to[TK_HTTP_ADDRESS_MAX])
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } a = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof(a);
    char host[INET6_ADDRSTRLEN] = "?";

    (void)getsockname(fd, &a.any, &size);
    if (a.any.sa_family == AF_INET6 &&
        inet_ntop(AF_INET6, &a.v6.sin6_addr, host, sizeof(host)) != NULL)
        (void)snprintf(to, TK_HTTP_ADDRESS_MAX, "[%s]:%u", host, ntohs(a.v6.sin6_port));
    else if (a.any.sa_family == AF_INET &&
             inet_ntop(AF_INET, &a.v4.sin_addr, host, sizeof(host)) != NULL)
        (void)snprintf(to, TK_HTTP_ADDRESS_MAX, "%s:%u", host, ntohs(a.v4.sin_port));
    else
        (void)snprintf(to, TK_HTTP_ADDRESS_MAX, "%s", a.any.sa_family == AF_UNIX ? "unix" : "?");
}
