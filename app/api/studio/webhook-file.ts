import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { webhook } from '@/lib/contract/webhooks/webhook';
import { deleteWebhook } from '@/lib/contract/webhooks/webhook-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as webhooks from '@/lib/domain/webhooks';
import * as file from '../webhook/[id]/route';

/** The Studio client throws when a deletion is not answered with the deleted object. */
const { DELETE } = routes(
  route(defineEndpoint({ ...deleteWebhook, response: webhook, status: 200 }), async ({ ctx, params }) => {
    const deleted = await webhooks.getWebhook(ctx, params.id);
    await webhooks.deleteWebhook(ctx, params.id);
    return deleted;
  }),
);

export const webhookFile = { ...file, DELETE };
