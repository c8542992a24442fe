/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/control.h"

#include <errno.h>

#include "daemon/admission.h"
#include "net/connection.h"
#include "net/connections.h"

#define CONTROL_CONNECTIONS        64
#define CONTROL_CONNECTIONS_OF_UID 16
/* Largest request: these methods need only small ones. */
#define CONTROL_FRAME ((int64_t)1 << 20)

/* Returns a copy of the settings with the control socket's own limits. */
static struct tk_settings *control_settings(const struct tk_settings *settings)
{
    struct tk_settings *s = tk_settings_copy(settings);

    if (!s)
        return NULL;
    s->limits.max_connections = CONTROL_CONNECTIONS;
    s->limits.max_connections_per_uid = CONTROL_CONNECTIONS_OF_UID;
    if (s->limits.max_frame > CONTROL_FRAME)
        s->limits.max_frame = CONTROL_FRAME;
    s->limits.max_inflight_bytes = CONTROL_CONNECTIONS * CONTROL_FRAME;
    s->limits.max_inflight_bytes_per_uid = CONTROL_CONNECTIONS_OF_UID * CONTROL_FRAME;
    return s;
}

static void admit(void *arg, const struct tk_peer *peer)
{
    struct tk_daemon *d = arg;
    int r =
        tk_peers_add(d->control_peers, peer->uid, CONTROL_CONNECTIONS, CONTROL_CONNECTIONS_OF_UID);

    if (r > TK_PEERS_OK) {
        tk_refuse_peer(d, peer,
                       r == TK_PEERS_UID_FULL ? CONTROL_CONNECTIONS_OF_UID : CONTROL_CONNECTIONS);
    } else if (r < 0) {
        tk_refuse_for_memory(d, peer);
    } else if (tk_connection_new(&d->control, peer) < 0) {
        tk_peers_remove(d->control_peers, peer->uid);
        tk_refuse_for_memory(d, peer);
    } else {
        tk_count(&d->control.counters, connections_accepted, 1);
    }
}

int tk_control_init(struct tk_daemon *d, const uint64_t *hash_key)
{
    struct tk_loop_options options = {
        .settings = control_settings(d->settings),
        .peers = tk_peers_new(),
        .inflight = &d->control_inflight,
        .host = &d->host,
        .hash_key = hash_key,
        .control = true,
    };
    int r = tk_inflight_init(&d->control_inflight, CONTROL_CONNECTIONS_OF_UID * CONTROL_FRAME);

    d->control_peers = options.peers;
    if (r == 0 && !(options.settings && options.peers))
        r = -ENOMEM;
    if (r == 0)
        r = tk_loop_init(&d->control, &options);
    tk_settings_unref(options.settings);
    if (r < 0)
        return r;
    tk_connections_init(&d->control);
    d->control_listener = (struct tk_listener){
        .fd = d->control_socket.fd,
        .counters = &d->control.counters,
        .accepted = admit,
        .arg = d,
    };
    return tk_listener_start(&d->control_listener, d->control.base);
}

int tk_control_set_settings(struct tk_daemon *d, const struct tk_settings *settings)
{
    struct tk_settings *s = control_settings(settings);

    if (!s)
        return -ENOMEM;
    tk_connections_set_settings(&d->control, s);
    tk_settings_unref(s);
    return 0;
}

void tk_control_done(struct tk_daemon *d)
{
    tk_listener_stop(&d->control_listener);
    if (d->control.base) {
        tk_connections_done(&d->control);
        tk_loop_done(&d->control);
    }
    tk_inflight_done(&d->control_inflight);
    tk_peers_free(d->control_peers);
}
