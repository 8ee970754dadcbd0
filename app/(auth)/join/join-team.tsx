'use client';

import { useTranslations } from 'use-intl';
import { switchTeam } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';
import { errorMessagesOf } from '@/lib/client/call';
import { useJoinTeam } from '@/lib/client/queries/team-queries';

export function JoinTeamForm({ invitation }: { invitation: string }) {
  const t = useTranslations('auth.join');
  const join = useJoinTeam();
  return (
    <div className="grid gap-5">
      <FormError>{errorMessagesOf(join.error).join(' ')}</FormError>
      <Button
        variant="primary"
        pending={join.isPending}
        onClick={() => join.mutate(invitation, { onSuccess: ({ id }) => switchTeam(id) })}
      >
        {t('join')}
      </Button>
    </div>
  );
}
