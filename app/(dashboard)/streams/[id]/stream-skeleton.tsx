import { Skeleton } from '@/components/ui/skeleton';

/** The shapes of the page, where the data will stand. */
export function StreamSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading the stream">
      <Skeleton className="mb-3 h-5 w-20" />
      <Skeleton className="mb-2 block h-8 w-72 max-w-full" />
      <Skeleton className="mb-6 block h-6 w-48" />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6">
          <Skeleton className="aspect-video w-full rounded-lg" />
          <Skeleton className="h-96 w-full rounded-lg" />
        </div>
        <Skeleton className="h-96 w-full rounded-lg" />
      </div>
    </div>
  );
}
