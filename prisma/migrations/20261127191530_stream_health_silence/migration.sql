-- AlterTable
ALTER TABLE "StreamHealth" ADD COLUMN     "silence" INTEGER;
