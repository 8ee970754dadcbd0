-- AlterTable
ALTER TABLE "Node" ADD COLUMN     "cpuHeadroomRatio" DOUBLE PRECISION,
ADD COLUMN     "diskFreeBytes" BIGINT,
ADD COLUMN     "drainingSince" TIMESTAMPTZ(3),
ADD COLUMN     "ingestUrl" TEXT,
ADD COLUMN     "region" TEXT,
ADD COLUMN     "streamCount" INTEGER,
ADD COLUMN     "version" TEXT;
