import { sendTestEvent } from '@/lib/contract/webhooks/webhook-dashboard-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as webhooks from '@/lib/domain/webhooks';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(sendTestEvent, ({ ctx, params, body }) =>
    webhooks.sendTestEvent(ctx, { id: params.id, event: body.event }),
  ),
);
