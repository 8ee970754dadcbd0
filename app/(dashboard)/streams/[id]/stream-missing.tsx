import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

export function StreamMissing() {
  return (
    <EmptyState
      title="Stream not found"
      action={
        <Button asChild>
          <Link href="/streams">All streams</Link>
        </Button>
      }
    >
      The stream was deleted, or the link is wrong.
    </EmptyState>
  );
}
