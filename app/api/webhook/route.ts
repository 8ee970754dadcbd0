import { createWebhook, listWebhooks } from '@/lib/contract/webhooks/webhook-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as webhooks from '@/lib/domain/webhooks';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(createWebhook, ({ ctx, body }) => webhooks.createWebhook(ctx, body)),
  route(listWebhooks, ({ ctx, query }) => webhooks.listWebhooks(ctx, query)),
);
