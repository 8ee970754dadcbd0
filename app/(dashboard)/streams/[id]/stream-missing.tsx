import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

export function StreamMissing() {
  return (
    <EmptyState
      title="This stream does not exist"
      action={
        <Button asChild>
          <Link href="/streams">All streams</Link>
        </Button>
      }
    >
      It was deleted, or the address is not quite right.
    </EmptyState>
  );
}
