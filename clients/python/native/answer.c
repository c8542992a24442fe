/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module turnkeeper._answer: what library.py and wire.py do for each call, without the cost of ctypes and of Python.
 *
 *     functions(call, iov, free, start)    a capsule of these functions of libturnkeeper, given as addresses: tk_call,
 *                                          tk_reply_iov, tk_reply_free, tk_deadline_start
 *     answer(functions, core, session, request, options, deadline, limit_ms)
 *                                          the bytes of the answer to a request, None without memory
 *     spliced(answer, ident, body)         the body after the answer to request `ident` whose result says by splices what
 *                                          changed: `body` itself if nothing did. None for another answer
 *
 * It is of the stable ABI (Python 3.9 and later), and linked with nothing: library.py loads libturnkeeper and makes
 * cores, sessions and options. Where this module is absent, both do the same in Python.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include "spliced.h"
#include "turnkeeper/turnkeeper.h"

#define CAPSULE "turnkeeper._answer.functions"

struct functions {
    int (*call)(tk_core *, tk_session *, const void *, size_t, const tk_call_options *,
                tk_reply **);
    const struct iovec *(*iov)(const tk_reply *, size_t *);
    void (*free)(tk_reply *);
    void (*start)(tk_deadline *, uint32_t);
};

/* An address that Python has as a number. */
static int address(PyObject *number, void *ret)
{
    void *found = PyLong_AsVoidPtr(number);

    if (!found && PyErr_Occurred())
        return 0;
    memcpy(ret, &found, sizeof(found));
    return 1;
}

static void forget(PyObject *capsule)
{
    PyMem_Free(PyCapsule_GetPointer(capsule, CAPSULE));
}

static PyObject *functions(PyObject *module, PyObject *args)
{
    struct functions *f = PyMem_Malloc(sizeof(*f));
    PyObject *capsule;

    (void)module;
    if (!f)
        return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "O&O&O&O&:functions", address, &f->call, address, &f->iov, address,
                          &f->free, address, &f->start)) {
        PyMem_Free(f);
        return NULL;
    }
    capsule = PyCapsule_New(f, CAPSULE, forget);
    if (!capsule)
        PyMem_Free(f);
    return capsule;
}

/* Returns the bytes of all pieces of a reply, NULL with an exception set if there is no memory for them. */
static PyObject *joined(const struct iovec *pieces, size_t count)
{
    Py_ssize_t size = 0;
    PyObject *bytes;
    char *at;

    for (size_t i = 0; i < count; i++)
        size += (Py_ssize_t)pieces[i].iov_len;
    bytes = PyBytes_FromStringAndSize(NULL, size);
    at = bytes ? PyBytes_AsString(bytes) : NULL;
    if (!at)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        memcpy(at, pieces[i].iov_base, pieces[i].iov_len);
        at += pieces[i].iov_len;
    }
    return bytes;
}

static PyObject *answer(PyObject *module, PyObject *args)
{
    const struct functions *f;
    const tk_call_options *options;
    const struct iovec *pieces;
    PyObject *capsule, *answer;
    tk_deadline *deadline;
    tk_session *session;
    const char *request;
    unsigned int limit;
    tk_reply *reply;
    Py_ssize_t size;
    tk_core *core;
    size_t count;
    int r;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&y#O&O&I:answer", &capsule, address, &core, address, &session,
                          &request, &size, address, &options, address, &deadline, &limit))
        return NULL;
    f = PyCapsule_GetPointer(capsule, CAPSULE);
    if (!f)
        return NULL;
    Py_BEGIN_ALLOW_THREADS f->start(deadline, limit);
    r = f->call(core, session, request, (size_t)size, options, &reply);
    Py_END_ALLOW_THREADS if (r < 0) Py_RETURN_NONE;
    pieces = f->iov(reply, &count);
    answer = joined(pieces, count);
    f->free(reply);
    return answer;
}

static PyObject *spliced(PyObject *module, PyObject *args)
{
    struct text answer, body;
    Py_ssize_t answer_size, size;
    unsigned long long ident;
    PyObject *given, *made;
    enum outcome outcome;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#KS:spliced", &answer.p, &answer_size, &ident, &given))
        return NULL;
    answer.end = answer.p + answer_size;
    body.p = PyBytes_AsString(given);
    body.end = body.p + PyBytes_Size(given);
    outcome = find_splices(&answer, ident);
    if (outcome == OUTCOME_SAME) {
        Py_INCREF(given);
        return given;
    }
    size = outcome == OUTCOME_SPLICES ? apply_splices(answer, body, NULL) : -1;
    if (size < 0)
        Py_RETURN_NONE;
    made = PyBytes_FromStringAndSize(NULL, size);
    if (made)
        apply_splices(answer, body, PyBytes_AsString(made));
    return made;
}

static PyMethodDef methods[] = {
    {"functions", functions, METH_VARARGS, NULL},
    {"answer", answer, METH_VARARGS, NULL},
    {"spliced", spliced, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_answer",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__answer(void)
{
    return PyModuleDef_Init(&definition);
}
