'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '@/lib/client/call';
import { teamsKey } from '@/lib/client/query-keys';
import type { TeamRole } from '@/lib/core/access/team-roles';
import {
  createTeam,
  deleteTeam,
  listTeamMembers,
  listTeams,
  removeTeamMember,
  updateTeam,
  updateTeamMails,
  updateTeamMember,
  createTeamInvitation,
  joinTeam,
  listTeamInvitations,
  revokeTeamInvitation,
} from '@/lib/client/routes/teams-routes';

const teamListKey = (teamId: string, listName: 'members' | 'invitations') =>
  [...teamsKey, teamId, listName] as const;

export const useTeams = () =>
  useQuery({ queryKey: teamsKey, queryFn: ({ signal }) => callEndpoint(listTeams, {}, { signal }) });

export const useCreateTeam = () =>
  useMutation({ mutationFn: (name: string) => callEndpoint(createTeam, { body: { name } }) });

export const useRenameTeam = (teamId: string) =>
  useMutation({
    mutationFn: (name: string) => callEndpoint(updateTeam, { params: { id: teamId }, body: { name } }),
  });

export function useUpdateTeamMails(teamId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (streamMails: boolean) =>
      callEndpoint(updateTeamMails, { params: { id: teamId }, body: { streamMails } }),
    onSettled: () => client.invalidateQueries({ queryKey: teamsKey, exact: true }),
  });
}

export const useDeleteTeam = (teamId: string) =>
  useMutation({ mutationFn: () => callEndpoint(deleteTeam, { params: { id: teamId } }) });

export const useJoinTeam = () =>
  useMutation({ mutationFn: (invitation: string) => callEndpoint(joinTeam, { body: { invitation } }) });

export const useTeamMembers = (teamId: string) =>
  useQuery({
    queryKey: teamListKey(teamId, 'members'),
    queryFn: ({ signal }) => callEndpoint(listTeamMembers, { params: { id: teamId } }, { signal }),
  });

/** Refetches a list after a change, also after a failed one. */
function useInvalidateTeamList(teamId: string, listName: 'members' | 'invitations') {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: teamListKey(teamId, listName) });
}

export function useChangeRole(teamId: string) {
  const onSettled = useInvalidateTeamList(teamId, 'members');
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: TeamRole }) =>
      callEndpoint(updateTeamMember, { params: { id: teamId, userId }, body: { role } }),
    onSettled,
  });
}

export function useRemoveMember(teamId: string) {
  const onSettled = useInvalidateTeamList(teamId, 'members');
  return useMutation({
    mutationFn: (userId: string) => callEndpoint(removeTeamMember, { params: { id: teamId, userId } }),
    onSettled,
  });
}

/** @param enabled whether the user is an admin: others may not read invitations */
export const useTeamInvitations = (teamId: string, enabled: boolean) =>
  useQuery({
    queryKey: teamListKey(teamId, 'invitations'),
    queryFn: ({ signal }) => callEndpoint(listTeamInvitations, { params: { id: teamId } }, { signal }),
    enabled,
  });

/** Creates an invitation to a team. Its link is in this response only. */
export function useInviteToTeam(teamId: string) {
  const onSettled = useInvalidateTeamList(teamId, 'invitations');
  return useMutation({
    mutationFn: (body: { email: string; role: TeamRole }) =>
      callEndpoint(createTeamInvitation, { params: { id: teamId }, body }),
    onSettled,
    gcTime: 0,
  });
}

export function useRevokeTeamInvitation(teamId: string) {
  const onSettled = useInvalidateTeamList(teamId, 'invitations');
  return useMutation({
    mutationFn: (invitationId: string) =>
      callEndpoint(revokeTeamInvitation, { params: { id: teamId, invitationId } }),
    onSettled,
  });
}
