'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { FormError } from '@/components/ui/form/field';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useMe } from '@/lib/client/queries/account-queries';
import { useTeams, useUpdateTeamMails } from '@/lib/client/queries/team-queries';
import { useTeam } from './use-team';

/** Setting of this member for emails about the team's streams; renders nothing on a server without mail. */
export function TeamMailsPanel() {
  const t = useTranslations('settings.team');
  const { id } = useTeam();
  const { data: teams = [] } = useTeams();
  const { data: me } = useMe();
  const update = useUpdateTeamMails(id);
  const streamMails = teams.find((team) => team.id === id)?.streamMails ?? null;
  if (streamMails === null || !me) return null;
  const setStreamMails = (isOn: boolean) =>
    update.mutate(isOn, { onSuccess: () => toast.success(t(isOn ? 'mailsOn' : 'mailsOff')) });
  return (
    <Panel title={t('mails')} description={t('mailsText')}>
      <SwitchRow
        label={t('streamMails')}
        description={t(me.emailValid ? 'streamMailsText' : 'streamMailsUnconfirmed')}
        checked={streamMails}
        disabled={update.isPending || (!me.emailValid && !streamMails)}
        onChange={setStreamMails}
      />
      <FormError>{errorMessagesOf(update.error)[0]}</FormError>
    </Panel>
  );
}
