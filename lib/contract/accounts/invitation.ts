import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { email, idParams, timestamp, uuid } from '@/lib/contract/primitives';
import { invitationStates } from '@/lib/core/accounts/invitation-state';

/** Fields of all endpoints of invitations. */
const commonFields = { auth: 'session', operatorOnly: true, corsKeyAllowed: false, tag: 'Service' } as const;

/** An invitation to sign up, which an operator created. */
const invitation = z
  .object({
    id: uuid,
    email: z
      .string()
      .nullable()
      .meta({ description: 'The only address that can sign up with the invitation; null: any address.' }),
    state: z.enum(invitationStates),
    createdAt: timestamp,
    expiresAt: timestamp,
    usedAt: timestamp.nullable(),
  })
  .meta({ id: 'Invitation' });

export type Invitation = z.output<typeof invitation>;

const exampleInvitation: Invitation = {
  id: '3f7c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
  email: 'ada@example.com',
  state: 'open',
  createdAt: 1_767_225_600_000,
  expiresAt: 1_767_830_400_000,
  usedAt: null,
};

export const listInvitations = defineEndpoint({
  ...commonFields,
  id: 'listInvitations',
  method: 'GET',
  path: '/api/admin/invitations',
  summary: 'List invitations',
  description:
    'The newest 1000 invitations, including those that were used, revoked or expired in the last 30 days.',
  response: z.array(invitation),
  status: 200,
  errors: [],
  example: { response: [exampleInvitation] },
});

export const createInvitation = defineEndpoint({
  ...commonFields,
  id: 'createInvitation',
  method: 'POST',
  path: '/api/admin/invitations',
  summary: 'Invite a person',
  description:
    'The link works once within seven days. Only this response contains it; it is also mailed to the address if the server sends mail (SMTP_URL).',
  body: z.strictObject({ email: email.nullable() }),
  response: z.object({
    invitation,
    url: z.string(),
    mailed: z.boolean().meta({ description: 'The mail server accepted the link.' }),
  }),
  status: 201,
  errors: [[409, 'The address has an account, sign-up is closed, or too many invitations are open.']],
  example: {
    body: { email: 'ada@example.com' },
    response: {
      invitation: exampleInvitation,
      url: 'https://live.example.com/signup?invitation=3f7c4c1e8a434d6e9f0b1c2d3e4f5a6bAAAA',
      mailed: true,
    },
  },
});

export const revokeInvitation = defineEndpoint({
  ...commonFields,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/admin/invitations/{id}',
  summary: 'Revoke an invitation',
  description: 'The link stops working. 409 if the invitation was already used or revoked, or has expired.',
  params: idParams,
  status: 204,
  errors: [[409, 'The invitation is no longer open.']],
  example: { params: { id: exampleInvitation.id } },
});

export const invitationEndpoints = [listInvitations, createInvitation, revokeInvitation] as const;
