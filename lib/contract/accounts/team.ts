import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, nameText, timestamp, uuid } from '@/lib/contract/primitives';
import { teamRoles } from '@/lib/core/access/team-roles';

/**
 * Fields of the endpoints about the teams of a person, for the dashboard. Their handlers check the role in the team of the
 * path.
 */
export const teamEndpoint = { auth: 'session', corsKeyAllowed: false, tag: 'Teams', role: 'person' } as const;
export const memberRole = z.enum(teamRoles).meta({
  description:
    'viewer: reads, without stream keys. developer: also manages streams, assets, webhooks and keys. admin: also manages members and settings. owner: also deletes the team and makes owners.',
});
const name = nameText(100).meta({ description: 'Shown to the members of the team.' });

export const team = z
  .object({
    id: uuid,
    name: z.string(),
    role: memberRole,
    own: z.boolean().meta({
      description: 'Whether the team was created with your account. It can only be deleted with the account.',
    }),
    streamMails: z.boolean().nullable().meta({
      description:
        "Whether you get mails about problems of this team's live streams. Null: this server sends no mail.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'Team' });
export type Team = z.output<typeof team>;

const teamMember = z
  .object({ userId: uuid, email: z.string(), role: memberRole, joinedAt: timestamp })
  .meta({ id: 'TeamMember' });
export type TeamMember = z.output<typeof teamMember>;

const exampleId = '7a1c4c1e-8a43-4d6e-9f0b-1c2d3e4f5a6b';
const exampleUserId = '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52';
const CREATED_AT = 1_767_225_600_000;
export const teamExample: Team = {
  id: exampleId,
  name: 'Lake TV',
  role: 'owner',
  own: false,
  streamMails: false,
  createdAt: CREATED_AT,
};
const memberExample: TeamMember = {
  userId: exampleUserId,
  email: 'ada@example.com',
  role: 'owner',
  joinedAt: CREATED_AT,
};

export const listTeams = defineEndpoint({
  ...teamEndpoint,
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
  ...teamEndpoint,
  id: 'createTeam',
  method: 'POST',
  path: '/api/dashboard/teams',
  summary: 'Create a team',
  description: 'You become its owner. A person can be a member of 20 teams.',
  body: z.strictObject({ name }),
  response: team,
  status: 201,
  errors: [[409, 'You are in the maximum number of teams.']],
  example: { body: { name: 'Lake TV' }, response: teamExample },
});

export const updateTeam = defineEndpoint({
  ...teamEndpoint,
  id: 'updateTeam',
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}',
  summary: 'Rename a team',
  description: 'Requires the role admin.',
  params: idParams,
  body: z.strictObject({ name }),
  status: 204,
  errors: [],
  example: { params: { id: exampleId }, body: { name: 'Lake TV' } },
});

export const updateTeamMails = defineEndpoint({
  ...teamEndpoint,
  id: 'updateTeamMails',
  method: 'PUT',
  path: '/api/dashboard/teams/{id}/mails',
  summary: 'Choose the mails you get from a team',
  description:
    'Applies only to you. Mails are sent to confirmed addresses when `stream.warning` or `stream.recovered` happens, at most one warning per stream in 15 minutes.',
  params: idParams,
  body: z.strictObject({ streamMails: z.boolean() }),
  status: 204,
  errors: [],
  example: { params: { id: exampleId }, body: { streamMails: true } },
});

export const deleteTeam = defineEndpoint({
  ...teamEndpoint,
  id: 'deleteTeam',
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}',
  summary: 'Delete a team',
  description:
    'Requires the role owner. Streams, recordings, assets, keys and webhooks of the team stop immediately and are deleted. 409 for the team that was created with your account.',
  params: idParams,
  status: 204,
  errors: [[409, 'The team was created with an account.']],
  example: { params: { id: exampleId } },
});

export const listTeamMembers = defineEndpoint({
  ...teamEndpoint,
  id: 'listTeamMembers',
  method: 'GET',
  path: '/api/dashboard/teams/{id}/members',
  summary: 'List the members of a team',
  description: 'All members with their role, in the order they joined.',
  params: idParams,
  response: z.array(teamMember),
  status: 200,
  errors: [],
  example: { params: { id: exampleId }, response: [memberExample] },
});

const memberParams = z.object({ id: uuid, userId: uuid });

export const updateTeamMember = defineEndpoint({
  ...teamEndpoint,
  id: 'updateTeamMember',
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}/members/{userId}',
  summary: 'Change the role of a member',
  description:
    'Requires the role admin; only owners can make a member an owner or change the role of an owner. 409 for the last owner.',
  params: memberParams,
  body: z.strictObject({ role: memberRole }),
  status: 204,
  errors: [[409, 'The team would have no owner.']],
  example: { params: { id: exampleId, userId: exampleUserId }, body: { role: 'developer' } },
});

export const removeTeamMember = defineEndpoint({
  ...teamEndpoint,
  id: 'removeTeamMember',
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}/members/{userId}',
  summary: 'Remove a member, or leave',
  description:
    'All members can leave. To remove others, you need the role admin; to remove an owner, the role owner. 409 for the last owner.',
  params: memberParams,
  status: 204,
  errors: [[409, 'The team would have no owner.']],
  example: { params: { id: exampleId, userId: exampleUserId } },
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
