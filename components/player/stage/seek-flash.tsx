import { clsx } from 'clsx';

/** Briefly shows the direction of a double tap. */
export default function SeekFlash({ seconds }: { seconds: number }) {
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'pointer-events-none absolute inset-y-0 grid w-1/3 place-items-center text-white',
        seconds < 0 ? 'left-0' : 'right-0',
      )}
    >
      <span className="rounded-full bg-black/70 px-4 py-2 text-sm font-medium tabular-nums">
        {seconds < 0 ? '−' : '+'}
        {Math.abs(seconds)} s
      </span>
    </div>
  );
}
