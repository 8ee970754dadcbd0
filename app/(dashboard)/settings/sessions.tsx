'use client';

import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { useEndSessions } from '@/lib/client/account-queries';

export function Sessions() {
  const end = useEndSessions();
  return (
    <Panel
      title="Sessions"
      description="A browser stays logged in for seven days, or until it has not been used for one. Lost a device? Log out everywhere: every browser has to log in again, this one too. API keys go on working."
    >
      <Button
        pending={end.isPending}
        onClick={() =>
          end.mutate(undefined, {
            onSuccess: () => window.location.assign('/login'),
            onError: (error) => toast.error('Nobody was logged out', { description: error.message }),
          })
        }
      >
        Log out everywhere
      </Button>
    </Panel>
  );
}
