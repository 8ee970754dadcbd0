import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { email, idParams, text, timestamp, uuid } from '@/lib/contract/primitives';
import { invitationStates } from '@/lib/core/accounts/invitation-state';
import { WEEK_MS } from '@/lib/core/units';
import { memberRole, teamEndpoint, team, teamExample } from './team';

const teamInvitation = z
  .object({
    id: uuid,
    email: z.string(),
    role: memberRole,
    state: z.enum(invitationStates),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'TeamInvitation' });
export type TeamInvitation = z.output<typeof teamInvitation>;

const exampleTeamId = teamExample.id;
const exampleInvitationId = '3f7c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const createdAt = teamExample.createdAt;
const invitationExample: TeamInvitation = {
  id: exampleInvitationId,
  email: 'eve@example.com',
  role: 'developer',
  state: 'open',
  createdAt,
  expiresAt: createdAt + WEEK_MS,
};

export const listTeamInvitations = defineEndpoint({
  ...teamEndpoint,
  id: 'listTeamInvitations',
  method: 'GET',
  path: '/api/dashboard/teams/{id}/invitations',
  summary: 'List the open invitations of a team',
  description: 'Requires the role admin.',
  params: idParams,
  response: z.array(teamInvitation),
  status: 200,
  errors: [],
  example: { params: { id: exampleTeamId }, response: [invitationExample] },
});

export const createTeamInvitation = defineEndpoint({
  ...teamEndpoint,
  id: 'createTeamInvitation',
  method: 'POST',
  path: '/api/dashboard/teams/{id}/invitations',
  summary: 'Invite a person to a team',
  description:
    'Requires the role admin; to invite owners, the role owner. The link works once within seven days, and only for this email address. Only this response contains it; it is also sent to the address by mail if the server sends mail (SMTP_URL). The person can also sign up with it, unless sign-up is closed.',
  params: idParams,
  body: z.strictObject({ email, role: memberRole }),
  response: z.object({
    invitation: teamInvitation,
    url: z.string(),
    mailed: z.boolean().meta({ description: 'The mail server accepted the link.' }),
  }),
  status: 201,
  errors: [[409, 'The person is already a member, or too many invitations are open.']],
  example: {
    params: { id: exampleTeamId },
    body: { email: 'eve@example.com', role: 'developer' },
    response: {
      invitation: invitationExample,
      url: 'https://live.example.com/join?invitation=3f7c4c1e8a434d6e9f0b1c2d3e4f5a6bAAAA',
      mailed: true,
    },
  },
});

export const revokeTeamInvitation = defineEndpoint({
  ...teamEndpoint,
  id: 'revokeTeamInvitation',
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}/invitations/{invitationId}',
  summary: 'Revoke an invitation to a team',
  description:
    'Requires the role admin. The link stops working. 409 if the invitation was already used or revoked, or has expired.',
  params: z.object({ id: uuid, invitationId: uuid }),
  status: 204,
  errors: [[409, 'The invitation is no longer open.']],
  example: { params: { id: exampleTeamId, invitationId: exampleInvitationId } },
});

export const joinTeam = defineEndpoint({
  ...teamEndpoint,
  id: 'joinTeam',
  method: 'POST',
  path: '/api/dashboard/teams/join',
  summary: 'Join a team',
  description:
    'Accepts the invitation in a link. 403 if the link is invalid, or was sent to another email address.',
  body: z.strictObject({ invitation: text(200, 1) }),
  response: team,
  status: 200,
  errors: [[409, 'The team is full, or the person is in the maximum number of teams.']],
  example: {
    body: { invitation: '3f7c4c1e8a434d6e9f0b1c2d3e4f5a6bAAAA' },
    response: { ...teamExample, role: 'developer' },
  },
});

export const teamInvitationEndpoints = [
  listTeamInvitations,
  createTeamInvitation,
  revokeTeamInvitation,
  joinTeam,
] as const;
