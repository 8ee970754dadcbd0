import { listWebhookLogs } from '@/lib/contract/webhooks/webhook-log-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as webhooks from '@/lib/domain/webhooks';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listWebhookLogs, ({ ctx, params, query }) => webhooks.listLogs(ctx, { id: params.id, query })),
);
