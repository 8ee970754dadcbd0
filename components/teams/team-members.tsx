'use client';

import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { LoadErrorMessage } from '@/components/ui/empty-state';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { MenuRadioGroup, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { DataTable } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import { errorMessagesOf } from '@/lib/client/call';
import { useMe } from '@/lib/client/queries/account-queries';
import { useChangeRole, useRemoveMember, useTeamMembers } from '@/lib/client/queries/team-queries';
import type { TeamMember } from '@/lib/contract/accounts/team';
import { memberRejection, teamRoles, type TeamRole } from '@/lib/core/access/team-roles';
import { useTeam } from './use-team';
import { useTeamColumns } from './use-team-columns';

/** A member as a row of a table, which needs an `id`. */
type MemberRow = TeamMember & { readonly id: string };

/** Members of the active team, with a menu that changes their roles and removes them. */
export function TeamMembersPanel() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const { data, isError, error, refetch } = useTeamMembers(team.id);
  const rows = data?.map((member) => ({ ...member, id: member.userId }));
  const [memberToRemove, setMemberToRemove] = useState<TeamMember | null>(null);
  const columns = useTeamColumns<MemberRow>(t('joined'), ({ joinedAt }) => <RelativeTime at={joinedAt} />);
  if (isError && !rows) {
    return <LoadErrorMessage subject={t('theMembers')} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Panel title={t('members')} description={t('membersText')}>
      <DataTable
        label={t('members')}
        columns={columns}
        rows={rows}
        nameOf={({ email }) => email}
        menu={(row) => (
          <MemberMenu member={row} members={rows ?? []} onRemove={() => setMemberToRemove(row)} />
        )}
        placeholderRows={2}
      />
      <RemoveMemberDialog member={memberToRemove} onClose={() => setMemberToRemove(null)} />
    </Panel>
  );
}

interface MemberMenuProps {
  member: TeamMember;
  members: readonly TeamMember[];
  onRemove: () => void;
}

/** Menu of a member, with the actions that the service would allow. */
function MemberMenu({ member, members, onRemove }: MemberMenuProps) {
  const t = useTranslations('settings.team');
  const tTeamRoles = useTranslations('settings.teamRoles');
  const team = useTeam();
  const me = useMe();
  const changeRole = useChangeRole(team.id);
  const { userId, email, role } = member;
  /** @param newRole null: the member is removed */
  const isAllowed = (newRole: TeamRole | null) =>
    memberRejection({
      actor: team.role,
      isSelf: userId === me.data?.id,
      previousRole: role,
      newRole,
      ownerCount: members.filter((teamMember) => teamMember.role === 'owner').length,
      // A personal team has the id of its account.
      isOwnTeam: userId === team.id,
    }) === null;
  const offeredRoles = teamRoles.filter((candidate) => candidate === role || isAllowed(candidate));
  // Leaving is a separate action of the page.
  const isRemovable = userId !== me.data?.id && isAllowed(null);
  if (offeredRoles.length < 2 && !isRemovable) return null;
  const setRole = (chosenRole: string) => {
    const newRole = teamRoles.find((candidate) => candidate === chosenRole);
    if (!newRole) return;
    const onSuccess = () => toast.success(t('roleChanged', { email, role: tTeamRoles(newRole) }));
    const onError = (error: Error) =>
      void toast.error(t('roleNotChanged'), { description: errorMessagesOf(error).join(' ') });
    changeRole.mutate({ userId, role: newRole }, { onSuccess, onError });
  };
  return (
    <RowMenu name={email}>
      <MenuRadioGroup
        label={t('role')}
        value={role}
        options={offeredRoles.map((value) => ({ value, label: tTeamRoles(value) }))}
        onChange={setRole}
      />
      {isRemovable && (
        <>
          <MenuSeparator />
          <MenuItem icon={UserMinus} danger onSelect={onRemove}>
            {t('remove')}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}

/** Asks before a member is removed; closed while `member` is null. */
function RemoveMemberDialog({ member, onClose }: { member: TeamMember | null; onClose: () => void }) {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const remove = useRemoveMember(team.id);
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={member !== null}
      onOpenChange={(open) => !open && close()}
      title={t('removeAsked', { email: member?.email ?? '' })}
      confirmLabel={t('remove')}
      pending={remove.isPending}
      error={errorMessagesOf(remove.error)[0]}
      onConfirm={() => {
        if (member) remove.mutate(member.userId, { onSuccess: close });
      }}
    >
      {t('removeLost')}
    </ConfirmDialog>
  );
}
