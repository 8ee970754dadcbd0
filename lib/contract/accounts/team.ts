import { weekMs } from '@/lib/core/units';
import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { email, idParams, text, timestamp, uuid, nameText } from '@/lib/contract/primitives';
import { teamRoles } from '@/lib/core/access/team-roles';
import { invitationStates } from '@/lib/core/accounts/invitation-state';

/** Teams of a person, for the dashboard. The verbs check the role in the team that the path names. */

/** Names the team that the pages show. */
export const teamCookieName = 'headwater-team';

const common = { auth: 'session', corsKeyAllowed: false, tag: 'Teams', role: 'person' } as const;
const role = z.enum(teamRoles).meta({
  description:
    'viewer: reads, without stream keys. developer: manages streams, assets, webhooks and keys. admin: also members and settings. owner: also deletes the team and makes owners.',
});
const name = nameText(100).meta({ description: 'Shown to its members.' });

const team = z
  .object({
    id: uuid,
    name: z.string(),
    role,
    own: z.boolean().meta({ description: 'It came with your account, and cannot be deleted without it.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Team' });
export type Team = z.output<typeof team>;

const teamMember = z
  .object({ userId: uuid, email: z.string(), role, joinedAt: timestamp })
  .meta({ id: 'TeamMember' });
export type TeamMember = z.output<typeof teamMember>;

const teamInvitation = z
  .object({
    id: uuid,
    email: z.string(),
    role,
    state: z.enum(invitationStates),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'TeamInvitation' });
export type TeamInvitation = z.output<typeof teamInvitation>;

const id = '7a1c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const userId = '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52';
const invitationId = '3f7c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const at = 1_767_225_600_000;
const teamExample: Team = { id, name: 'Lake TV', role: 'owner', own: false, createdAt: at };
const memberExample: TeamMember = { userId, email: 'ada@example.com', role: 'owner', joinedAt: at };
const invitationExample: TeamInvitation = {
  ...{ id: invitationId, email: 'eve@example.com', role: 'developer', state: 'open' },
  createdAt: at,
  expiresAt: at + weekMs,
};

export const listTeams = defineEndpoint({
  ...common,
  id: 'listTeams',
  method: 'GET',
  path: '/api/dashboard/teams',
  summary: 'List your teams',
  description: 'Every team that you are a member of, with your role, oldest first.',
  response: z.array(team),
  status: 200,
  errors: [],
  example: { response: [teamExample] },
});

export const createTeam = defineEndpoint({
  ...common,
  id: 'createTeam',
  method: 'POST',
  path: '/api/dashboard/teams',
  summary: 'Create a team',
  description: 'You become its owner. A person can be in 20 teams.',
  body: z.strictObject({ name }),
  response: team,
  status: 201,
  errors: [[409, 'The person is in as many teams as possible.']],
  example: { body: { name: 'Lake TV' }, response: teamExample },
});

export const updateTeam = defineEndpoint({
  ...common,
  id: 'updateTeam',
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}',
  summary: 'Rename a team',
  description: 'Needs the role admin.',
  params: idParams,
  body: z.strictObject({ name }),
  status: 204,
  errors: [],
  example: { params: { id }, body: { name: 'Lake TV' } },
});

export const deleteTeam = defineEndpoint({
  ...common,
  id: 'deleteTeam',
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}',
  summary: 'Delete a team',
  description:
    'Needs the role owner. Its streams, recordings, assets, keys and webhooks stop at once and are deleted. 409 for the team that came with your account.',
  params: idParams,
  status: 204,
  errors: [[409, 'The team came with an account.']],
  example: { params: { id } },
});

export const listTeamMembers = defineEndpoint({
  ...common,
  id: 'listTeamMembers',
  method: 'GET',
  path: '/api/dashboard/teams/{id}/members',
  summary: 'List the members of a team',
  description: 'Everyone in the team, with their role, in the order they joined.',
  params: idParams,
  response: z.array(teamMember),
  status: 200,
  errors: [],
  example: { params: { id }, response: [memberExample] },
});

const memberParams = z.object({ id: uuid, userId: uuid });

export const updateTeamMember = defineEndpoint({
  ...common,
  id: 'updateTeamMember',
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}/members/{userId}',
  summary: 'Change the role of a member',
  description: 'Needs the role admin; owner to make or change owners. 409 for the last owner.',
  params: memberParams,
  body: z.strictObject({ role }),
  status: 204,
  errors: [[409, 'The team would have no owner.']],
  example: { params: { id, userId }, body: { role: 'developer' } },
});

export const removeTeamMember = defineEndpoint({
  ...common,
  id: 'removeTeamMember',
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}/members/{userId}',
  summary: 'Remove a member, or leave',
  description:
    'Everyone can leave. Needs the role admin to remove others; owner to remove owners. 409 for the last owner.',
  params: memberParams,
  status: 204,
  errors: [[409, 'The team would have no owner.']],
  example: { params: { id, userId } },
});

export const listTeamInvitations = defineEndpoint({
  ...common,
  id: 'listTeamInvitations',
  method: 'GET',
  path: '/api/dashboard/teams/{id}/invitations',
  summary: 'List the open invitations of a team',
  description: 'Needs the role admin.',
  params: idParams,
  response: z.array(teamInvitation),
  status: 200,
  errors: [],
  example: { params: { id }, response: [invitationExample] },
});

export const createTeamInvitation = defineEndpoint({
  ...common,
  id: 'createTeamInvitation',
  method: 'POST',
  path: '/api/dashboard/teams/{id}/invitations',
  summary: 'Invite a person to a team',
  description:
    'Needs the role admin; owner to invite owners. The link is for this address, works once and for seven days. It is in this answer only, and sent to the address if the server sends mail (SMTP_URL). It also lets the person sign up, unless sign-up is closed.',
  params: idParams,
  body: z.strictObject({ email, role }),
  response: z.object({
    invitation: teamInvitation,
    url: z.string(),
    mailed: z.boolean().meta({ description: 'The mail server accepted the link.' }),
  }),
  status: 201,
  errors: [[409, 'The person is a member already, or too many invitations are open.']],
  example: {
    params: { id },
    body: { email: 'eve@example.com', role: 'developer' },
    response: {
      invitation: invitationExample,
      url: 'https://live.example.com/join?invitation=3f7c4c1e8a434d6e9f0b1c2d3e4f5a6bAAAA',
      mailed: true,
    },
  },
});

export const revokeTeamInvitation = defineEndpoint({
  ...common,
  id: 'revokeTeamInvitation',
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}/invitations/{invitationId}',
  summary: 'Revoke an invitation to a team',
  description: 'Needs the role admin. Its link stops working. 409 if it is not open anymore.',
  params: z.object({ id: uuid, invitationId: uuid }),
  status: 204,
  errors: [[409, 'The invitation is not open any more.']],
  example: { params: { id, invitationId } },
});

export const joinTeam = defineEndpoint({
  ...common,
  id: 'joinTeam',
  method: 'POST',
  path: '/api/dashboard/teams/join',
  summary: 'Join a team',
  description: 'With the invitation of a link. 403 if the link does not work or is for another address.',
  body: z.strictObject({ invitation: text(200, 1) }),
  response: team,
  status: 200,
  errors: [[409, 'The team is full, or the person is in as many teams as possible.']],
  example: {
    body: { invitation: '3f7c4c1e8a434d6e9f0b1c2d3e4f5a6bAAAA' },
    response: { ...teamExample, role: 'developer' },
  },
});

export const teamEndpoints = [
  listTeams,
  createTeam,
  updateTeam,
  deleteTeam,
  listTeamMembers,
  updateTeamMember,
  removeTeamMember,
  listTeamInvitations,
  createTeamInvitation,
  revokeTeamInvitation,
  joinTeam,
] as const;
