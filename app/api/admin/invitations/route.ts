import { createInvitation, listInvitations } from '@/lib/contract/accounts/invitation';
import * as accounts from '@/lib/domain/accounts';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getServices } from '@/lib/http/services';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listInvitations, ({ ctx }) => accounts.listInvitations(ctx)),
  route(createInvitation, ({ ctx, body }) => accounts.inviteToSignUp(ctx, body.email, getServices().mailer)),
);
