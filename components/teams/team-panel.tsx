'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Input } from '@/components/ui/form/field';
import { otherErrorMessages, errorMessageFor } from '@/components/ui/form/server-messages';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useMe } from '@/lib/client/queries/account-queries';
import { useDeleteTeam, useRemoveMember, useRenameTeam, useTeams } from '@/lib/client/queries/team-queries';
import { TeamInvitations } from './team-invitations';
import { TeamMails } from './team-mails';
import { TeamMembers } from './team-members';
import { showTeam, useMay, useTeam } from './use-team';

/** Name and members of the active team, and how to leave it. */
export function TeamPanel() {
  const mayManage = useMay('admin');
  return (
    <div className="grid gap-6">
      <TeamName />
      <TeamMails />
      <TeamMembers />
      {mayManage && <TeamInvitations />}
      <Leave />
    </div>
  );
}

function TeamName() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const mayManage = useMay('admin');
  const [name, setName] = useState(team.name);
  const rename = useRenameTeam(team.id);
  const trimmedName = name.trim();
  const hasChanged = trimmedName !== '' && trimmedName !== team.name;
  const errorMessages = errorMessagesOf(rename.error);
  return (
    <Panel title={t('team')} description={t('description')}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          // The name is in the frame of every page.
          if (hasChanged && !rename.isPending)
            rename.mutate(trimmedName, { onSuccess: () => window.location.reload() });
        }}
      >
        <Field label={t('name')} error={errorMessageFor('name', errorMessages)}>
          {(field) => (
            <Input
              {...field}
              maxLength={100}
              autoComplete="off"
              disabled={!mayManage}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormError>{otherErrorMessages(['name'], errorMessages)}</FormError>
        {mayManage && (
          <div>
            <Button type="submit" variant="primary" disabled={!hasChanged} pending={rename.isPending}>
              {t('save')}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}

/** A personal team cannot be left: it is deleted with its account. */
function Leave() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const me = useMe();
  const { data: teams = [] } = useTeams();
  const [leaveAction, setLeaveAction] = useState<'leave' | 'delete' | null>(null);
  const leave = useRemoveMember(team.id);
  const remove = useDeleteTeam(team.id);
  const isOwnTeam = teams.find(({ id }) => id === team.id)?.own ?? true;
  if (isOwnTeam || !me.data) return null;
  const userId = me.data.id;
  const away = { onSuccess: () => showTeam(userId) };
  const confirm = () => {
    if (leaveAction === 'delete') remove.mutate(undefined, away);
    else leave.mutate(userId, away);
  };
  const action = leaveAction === 'delete' ? remove : leave;
  return (
    <Panel title={t('leaveTitle')} description={t('leaveText')}>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setLeaveAction('leave')}>{t('leave')}</Button>
        {team.role === 'owner' && (
          <Button variant="danger" onClick={() => setLeaveAction('delete')}>
            {t('delete')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={leaveAction !== null}
        onOpenChange={(open) => {
          if (!open) setLeaveAction(null);
          leave.reset();
          remove.reset();
        }}
        title={t(leaveAction === 'delete' ? 'deleteAsked' : 'leaveAsked', { name: team.name })}
        {...(leaveAction === 'delete' ? { word: t('deleteWord') } : {})}
        confirm={t(leaveAction === 'delete' ? 'delete' : 'leave')}
        pending={action.isPending}
        error={errorMessagesOf(action.error)[0]}
        onConfirm={confirm}
      >
        {t(leaveAction === 'delete' ? 'deleteLost' : 'leaveLost')}
      </ConfirmDialog>
    </Panel>
  );
}
