-- Columns that hold a state become enums, so that a value that no state machine knows can't be written. The values are
-- in alphabetical order, as the texts were sorted.

CREATE TYPE "SessionState" AS ENUM ('ended', 'live', 'waiting');
CREATE TYPE "RecordingState" AS ENUM ('deleted', 'empty', 'failed', 'importing', 'none', 'processing', 'ready', 'recording', 'waiting');
CREATE TYPE "TargetState" AS ENUM ('connected', 'connecting', 'disconnected', 'error', 'waiting');
CREATE TYPE "AssetPhase" AS ENUM ('failed', 'processing', 'ready', 'uploading', 'waiting');
CREATE TYPE "TaskPhase" AS ENUM ('cancelled', 'completed', 'failed', 'pending', 'running', 'waiting');
CREATE TYPE "DeliveryState" AS ENUM ('failed', 'ok', 'pending', 'skipped');

-- No version wrote another value. A row that was edited by hand must not keep the service from starting: it gets the
-- final state in which nothing more happens to it, and says why where it can.
UPDATE "Session" SET "state" = 'ended', "endedAt" = coalesce("endedAt", now())
WHERE "state" <> ALL (enum_range(NULL::"SessionState")::text[]);
UPDATE "Session" SET "recording" = 'failed', "recordingError" = 'The recording was in an unknown state: ' || "recording"
WHERE "recording" <> ALL (enum_range(NULL::"RecordingState")::text[]);
UPDATE "TargetStatus" SET "state" = 'disconnected', "since" = now(), "bitrate" = 0
WHERE "state" <> ALL (enum_range(NULL::"TargetState")::text[]);
UPDATE "Asset" SET "phase" = 'failed', "statusUpdatedAt" = now(), "errorMessage" = 'The asset was in an unknown phase: ' || "phase"
WHERE "phase" <> ALL (enum_range(NULL::"AssetPhase")::text[]);
UPDATE "Task" SET "phase" = 'failed', "statusUpdatedAt" = now(), "errorMessage" = 'The task was in an unknown phase: ' || "phase",
  "lease" = NULL, "leaseUntil" = NULL
WHERE "phase" <> ALL (enum_range(NULL::"TaskPhase")::text[]);
UPDATE "WebhookDelivery" SET "state" = 'failed', "nextAt" = NULL, "lockedUntil" = NULL
WHERE "state" <> ALL (enum_range(NULL::"DeliveryState")::text[]);

-- PostgreSQL rebuilds the indexes on a column whose type changes; none of them has a condition.
ALTER TABLE "Session"
  ALTER COLUMN "state" DROP DEFAULT,
  ALTER COLUMN "state" TYPE "SessionState" USING "state"::"SessionState",
  ALTER COLUMN "state" SET DEFAULT 'live',
  ALTER COLUMN "recording" DROP DEFAULT,
  ALTER COLUMN "recording" TYPE "RecordingState" USING "recording"::"RecordingState",
  ALTER COLUMN "recording" SET DEFAULT 'none';
ALTER TABLE "TargetStatus"
  ALTER COLUMN "state" TYPE "TargetState" USING "state"::"TargetState";
ALTER TABLE "Asset"
  ALTER COLUMN "phase" DROP DEFAULT,
  ALTER COLUMN "phase" TYPE "AssetPhase" USING "phase"::"AssetPhase",
  ALTER COLUMN "phase" SET DEFAULT 'waiting';
ALTER TABLE "Task"
  ALTER COLUMN "phase" DROP DEFAULT,
  ALTER COLUMN "phase" TYPE "TaskPhase" USING "phase"::"TaskPhase",
  ALTER COLUMN "phase" SET DEFAULT 'pending';
ALTER TABLE "WebhookDelivery"
  ALTER COLUMN "state" DROP DEFAULT,
  ALTER COLUMN "state" TYPE "DeliveryState" USING "state"::"DeliveryState",
  ALTER COLUMN "state" SET DEFAULT 'pending';

-- A column that changes its type loses its statistics: without them the first queries are planned blindly.
ANALYZE "Session", "TargetStatus", "Asset", "Task", "WebhookDelivery";
