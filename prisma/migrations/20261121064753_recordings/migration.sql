-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "recording" TEXT NOT NULL DEFAULT 'none',
ADD COLUMN     "recordingAttempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "recordingDueAt" TIMESTAMPTZ(3),
ADD COLUMN     "recordingError" TEXT,
ADD COLUMN     "recordingGaps" JSONB,
ADD COLUMN     "recordingLease" UUID,
ADD COLUMN     "recordingRemovedAt" TIMESTAMPTZ(3),
ADD COLUMN     "recordingSpec" JSONB;

-- CreateIndex
CREATE INDEX "Session_recording_recordingDueAt_idx" ON "Session"("recording", "recordingDueAt");

-- CreateIndex
CREATE INDEX "Session_recording_recordingRemovedAt_idx" ON "Session"("recording", "recordingRemovedAt");

-- Sessions that ended before anything was recorded.
UPDATE "Session" SET "recording" = 'empty' WHERE "record" AND "state" = 'ended';
