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
      description="Browsers are logged out after seven days, or after one day without use. Lost a device? Log out of every browser, including this one. API keys keep working."
    >
      <Button
        pending={end.isPending}
        onClick={() =>
          end.mutate(undefined, {
            onSuccess: () => window.location.assign('/login'),
            onError: (error) => toast.error('Couldn’t log out everywhere', { description: error.message }),
          })
        }
      >
        Log out everywhere
      </Button>
    </Panel>
  );
}
