/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the HTTP listener: 127.0.0.1:9464, [::1]:9464 or unix:/path. */
#ifndef TK_DAEMON_HTTP_ADDRESS_H
#define TK_DAEMON_HTTP_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

struct tk_http_address {
    const char *path; /* of a Unix socket, a part of the text that was read; NULL: TCP */
    struct sockaddr_storage tcp;
    socklen_t size; /* of `tcp` */
    bool loopback;  /* nobody on another machine can reach it */
};

/*
 * Reads an address. Host names are not looked up: a name may mean another address tomorrow. Port 0
 * is any free one. Returns false if the text isn't an address.
 */
bool tk_http_address_read(const char *text, struct tk_http_address *ret_address);

/*
 * Returns true if a header Host has the name that this machine has for itself: localhost, or an IP
 * address, either with a port or without. A web page can have its own name mean 127.0.0.1, but not these.
 */
bool tk_http_host_is_local(const char *host);

/* Room for the text of any TCP address. */
#define TK_HTTP_ADDRESS_MAX 80

/* Writes what a TCP socket is bound to, as tk_http_address_read() reads it. */
void tk_http_address_of(int fd, char to[TK_HTTP_ADDRESS_MAX]);

#endif
