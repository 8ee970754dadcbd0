import { listStreamSessions } from '@/lib/contract/sessions/session';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as sessions from '@/lib/domain/sessions';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listStreamSessions, ({ ctx, params, query }) => sessions.listStreamSessions(ctx, params.id, query)),
);
