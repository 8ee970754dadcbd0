import { Skeleton } from '@/components/ui/skeleton';

export function ReferenceSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" className="grid gap-2">
      <Skeleton className="mb-4 h-10 w-full rounded-md" />
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} className="h-11 w-full rounded-md" />
      ))}
    </div>
  );
}
