import * as apiKeys from '@/lib/domain/api-keys';
import { createApiKey, listApiKeys } from '@/lib/contract/accounts/api-key';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listApiKeys, ({ ctx }) => apiKeys.listApiKeys(ctx)),
  route(createApiKey, ({ ctx, body }) => apiKeys.createApiKey(ctx, body)),
);
