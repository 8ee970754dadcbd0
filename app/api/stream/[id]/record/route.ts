import { setStreamRecord } from '@/lib/contract/streams/stream-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { setRecord } from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(setStreamRecord, ({ ctx, params, body }) => setRecord(ctx, { id: params.id, record: body.record })),
);
