-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "backup" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "backupKeyHash" BYTEA,
ADD COLUMN     "backupKeySealed" BYTEA,
ADD COLUMN     "fallbackAfterMs" INTEGER NOT NULL DEFAULT 3000,
ADD COLUMN     "program" JSONB,
ADD COLUMN     "recordSlate" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "slate" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "slateSeconds" INTEGER,
ADD COLUMN     "switchAskedAt" TIMESTAMPTZ(3),
ADD COLUMN     "switchTo" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "Stream_backupKeyHash_key" ON "Stream"("backupKeyHash");
