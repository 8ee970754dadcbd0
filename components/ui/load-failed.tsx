import { Button } from './button';

interface LoadFailedProps {
  /** "The streams" */
  what: string;
  error: Error;
  onRetry: () => void;
}

/** In the place of data that could not be read: what, why, and another try. */
export function LoadFailed({ what, error, onRetry }: LoadFailedProps) {
  return (
    <div role="alert" className="bg-surface grid justify-items-start gap-4 rounded-lg border p-6 sm:p-10">
      <div>
        <h2 className="text-lg font-semibold tracking-tight">{what} could not be loaded</h2>
        <p className="text-ink-2 mt-1 wrap-anywhere">{error.message}</p>
      </div>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
