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

const teamListKey = (id: string, listName: 'members' | 'invitations') => [...teamsKey, id, listName] as const;

export const useTeams = () =>
  useQuery({ queryKey: teamsKey, queryFn: ({ signal }) => callEndpoint(listTeams, {}, { signal }) });

export const useCreateTeam = () =>
  useMutation({ mutationFn: (name: string) => callEndpoint(createTeam, { body: { name } }) });

export const useRenameTeam = (id: string) =>
  useMutation({ mutationFn: (name: string) => callEndpoint(updateTeam, { params: { id }, body: { name } }) });

export function useUpdateTeamMails(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (streamMails: boolean) =>
      callEndpoint(updateTeamMails, { params: { id }, body: { streamMails } }),
    onSettled: () => client.invalidateQueries({ queryKey: teamsKey, exact: true }),
  });
}

export const useDeleteTeam = (id: string) =>
  useMutation({ mutationFn: () => callEndpoint(deleteTeam, { params: { id } }) });

export const useJoinTeam = () =>
  useMutation({ mutationFn: (invitation: string) => callEndpoint(joinTeam, { body: { invitation } }) });

export const useTeamMembers = (id: string) =>
  useQuery({
    queryKey: teamListKey(id, 'members'),
    queryFn: ({ signal }) => callEndpoint(listTeamMembers, { params: { id } }, { signal }),
  });

/** Refetches a list after a change, also after a failed one. */
function useInvalidateTeamList(id: string, listName: 'members' | 'invitations') {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: teamListKey(id, listName) });
}

export function useChangeRole(id: string) {
  const onSettled = useInvalidateTeamList(id, 'members');
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: TeamRole }) =>
      callEndpoint(updateTeamMember, { params: { id, userId }, body: { role } }),
    onSettled,
  });
}

export function useRemoveMember(id: string) {
  const onSettled = useInvalidateTeamList(id, 'members');
  return useMutation({
    mutationFn: (userId: string) => callEndpoint(removeTeamMember, { params: { id, userId } }),
    onSettled,
  });
}

/** @param enabled whether the user is an admin: others may not read invitations */
export const useTeamInvitations = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: teamListKey(id, 'invitations'),
    queryFn: ({ signal }) => callEndpoint(listTeamInvitations, { params: { id } }, { signal }),
    enabled,
  });

/** Creates an invitation to a team. Its link is in this response only. */
export function useInviteToTeam(id: string) {
  const onSettled = useInvalidateTeamList(id, 'invitations');
  return useMutation({
    mutationFn: (body: { email: string; role: TeamRole }) =>
      callEndpoint(createTeamInvitation, { params: { id }, body }),
    onSettled,
    gcTime: 0,
  });
}

export function useRevokeTeamInvitation(id: string) {
  const onSettled = useInvalidateTeamList(id, 'invitations');
  return useMutation({
    mutationFn: (invitationId: string) =>
      callEndpoint(revokeTeamInvitation, { params: { id, invitationId } }),
    onSettled,
  });
}
