import {
  deleteWebhook,
  getWebhook,
  replaceWebhook,
  updateWebhook,
} from '@/lib/contract/webhooks/webhook-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as webhooks from '@/lib/domain/webhooks';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getWebhook, ({ ctx, params }) => webhooks.getWebhook(ctx, params.id)),
  route(replaceWebhook, ({ ctx, params, body }) => webhooks.replaceWebhook(ctx, { id: params.id, body })),
  route(updateWebhook, ({ ctx, params, body }) => webhooks.updateWebhook(ctx, { id: params.id, body })),
  route(deleteWebhook, ({ ctx, params }) => webhooks.deleteWebhook(ctx, params.id)),
);
