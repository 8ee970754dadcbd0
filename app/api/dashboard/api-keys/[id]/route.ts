import * as apiKeys from '@/lib/domain/api-keys';
import { deleteApiKey } from '@/lib/contract/accounts/api-key';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(deleteApiKey, ({ ctx, params }) => apiKeys.deleteApiKey(ctx, params.id)),
);
