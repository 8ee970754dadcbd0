import { listAuditEntries } from '@/lib/contract/accounts/account';
import * as audit from '@/lib/domain/audit';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listAuditEntries, ({ ctx, query }) => audit.listAuditEntries(ctx, query)),
);
