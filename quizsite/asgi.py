"""Both doors in one process, for the embedded mode: `/events/` by Starlette, all else by Django under WSGI.

Django's pages stay on WSGI threads, which serve twice as many requests as the same views under ASGI.
"""

from a2wsgi import WSGIMiddleware
from starlette.applications import Starlette
from starlette.routing import Mount

from quizsite import events, wsgi
from quizsite.bodies import WholeBodies

WSGI_THREADS = 10

application = Starlette(
    routes=[*events.routes, Mount("/", app=WholeBodies(WSGIMiddleware(wsgi.application, workers=WSGI_THREADS)))],
    lifespan=events.lifespan,
)
