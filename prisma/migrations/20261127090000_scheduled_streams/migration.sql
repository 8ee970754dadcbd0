-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "description" TEXT,
ADD COLUMN     "showRecordings" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "startsAt" TIMESTAMPTZ(3),
ADD COLUMN     "lateFor" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "description" TEXT;

-- CreateIndex
CREATE INDEX "Stream_startsAt_idx" ON "Stream"("startsAt");
