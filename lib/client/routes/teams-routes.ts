import type * as teamContract from '@/lib/contract/accounts/team';
import type * as teamInvitationContract from '@/lib/contract/accounts/team-invitation';
import type { Route } from './route';

export const createTeam: Route<typeof teamContract.createTeam> = {
  method: 'POST',
  path: '/api/dashboard/teams',
  sendsBody: true,
};
export const createTeamInvitation: Route<typeof teamInvitationContract.createTeamInvitation> = {
  method: 'POST',
  path: '/api/dashboard/teams/{id}/invitations',
  sendsBody: true,
};
export const deleteTeam: Route<typeof teamContract.deleteTeam> = {
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}',
};
export const joinTeam: Route<typeof teamInvitationContract.joinTeam> = {
  method: 'POST',
  path: '/api/dashboard/teams/join',
  sendsBody: true,
};
export const listTeamInvitations: Route<typeof teamInvitationContract.listTeamInvitations> = {
  method: 'GET',
  path: '/api/dashboard/teams/{id}/invitations',
};
export const listTeamMembers: Route<typeof teamContract.listTeamMembers> = {
  method: 'GET',
  path: '/api/dashboard/teams/{id}/members',
};
export const listTeams: Route<typeof teamContract.listTeams> = {
  method: 'GET',
  path: '/api/dashboard/teams',
};
export const removeTeamMember: Route<typeof teamContract.removeTeamMember> = {
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}/members/{userId}',
};
export const revokeTeamInvitation: Route<typeof teamInvitationContract.revokeTeamInvitation> = {
  method: 'DELETE',
  path: '/api/dashboard/teams/{id}/invitations/{invitationId}',
};
export const updateTeam: Route<typeof teamContract.updateTeam> = {
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}',
  sendsBody: true,
};
export const updateTeamMails: Route<typeof teamContract.updateTeamMails> = {
  method: 'PUT',
  path: '/api/dashboard/teams/{id}/mails',
  sendsBody: true,
};
export const updateTeamMember: Route<typeof teamContract.updateTeamMember> = {
  method: 'PATCH',
  path: '/api/dashboard/teams/{id}/members/{userId}',
  sendsBody: true,
};
