import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, nameText, timestamp, uuid } from '@/lib/contract/primitives';
import { teamRoles } from '@/lib/core/access/team-roles';

/** Teams of a person, for the dashboard. The handlers check the role in the team that the path names. */

/** Cookie with the id of the team that the pages show. */
export const teamCookieName = 'headwater-team';

export const ofTeams = { auth: 'session', corsKeyAllowed: false, tag: 'Teams', role: 'person' } as const;
export const memberRole = z.enum(teamRoles).meta({
  description:
    'viewer: reads, without stream keys. developer: manages streams, assets, webhooks and keys. admin: also members and settings. owner: also deletes the team and makes owners.',
});
const name = nameText(100).meta({ description: 'Shown to its members.' });

export const team = z
  .object({
    id: uuid,
    name: z.string(),
    role: memberRole,
    own: z.boolean().meta({ description: 'It came with your account, and cannot be deleted without it.' }),
    streamMails: z.boolean().nullable().meta({
      description:
        'Whether you get mails about problems of live streams of this team. Null: this server sends no mail.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'Team' });
export type Team = z.output<typeof team>;

const teamMember = z
  .object({ userId: uuid, email: z.string(), role: memberRole, joinedAt: timestamp })
  .meta({ id: 'TeamMember' });
export type TeamMember = z.output<typeof teamMember>;

const id = '7a1c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const userId = '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52';
const at = 1_767_225_600_000;
export const teamExample: Team = {
  id,
  name: 'Lake TV',
  role: 'owner',
  own: false,
  streamMails: false,
  createdAt: at,
};
const memberExample: TeamMember = { userId, email: 'ada@example.com', role: 'owner', joinedAt: at };

export const listTeams = defineEndpoint({
  ...ofTeams,
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
  ...ofTeams,
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
  ...ofTeams,
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

export const updateTeamMails = defineEndpoint({
  ...ofTeams,
  id: 'updateTeamMails',
  method: 'PUT',
  path: '/api/dashboard/teams/{id}/mails',
  summary: 'Choose the mails you get from a team',
  description:
    'Applies to the caller only. Mails are sent with `stream.warning` and `stream.recovered`, at most one warning in 15 minutes for each stream, to confirmed addresses.',
  params: idParams,
  body: z.strictObject({ streamMails: z.boolean() }),
  status: 204,
  errors: [],
  example: { params: { id }, body: { streamMails: true } },
});

export const deleteTeam = defineEndpoint({
  ...ofTeams,
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
  ...ofTeams,
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
  ...ofTeams,
  id: 'updateTeamMember',
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}/members/{userId}',
  summary: 'Change the role of a member',
  description: 'Needs the role admin; owner to make or change owners. 409 for the last owner.',
  params: memberParams,
  body: z.strictObject({ role: memberRole }),
  status: 204,
  errors: [[409, 'The team would have no owner.']],
  example: { params: { id, userId }, body: { role: 'developer' } },
});

export const removeTeamMember = defineEndpoint({
  ...ofTeams,
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

export const teamEndpoints = [
  listTeams,
  createTeam,
  updateTeam,
  updateTeamMails,
  deleteTeam,
  listTeamMembers,
  updateTeamMember,
  removeTeamMember,
] as const;
