-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "keyRotatedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "TargetStatus" (
    "streamId" UUID NOT NULL,
    "targetId" UUID NOT NULL,
    "profile" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "bitrate" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "errorAt" TIMESTAMPTZ(3),
    "told" TEXT,
    "errorToldAt" TIMESTAMPTZ(3),

    CONSTRAINT "TargetStatus_pkey" PRIMARY KEY ("streamId","targetId","profile")
);

-- CreateIndex
CREATE INDEX "TargetStatus_targetId_idx" ON "TargetStatus"("targetId");

-- AddForeignKey
ALTER TABLE "TargetStatus" ADD CONSTRAINT "TargetStatus_streamId_fkey" FOREIGN KEY ("streamId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TargetStatus" ADD CONSTRAINT "TargetStatus_targetId_fkey" FOREIGN KEY ("targetId") REFERENCES "MultistreamTarget"("id") ON DELETE CASCADE ON UPDATE CASCADE;
