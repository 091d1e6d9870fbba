; ModuleID = 'seed.c'
source_filename = "seed.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i8, ptr, %union.anon }
%union.anon = type { float }
%struct.big = type { i64, i64, i64 }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@counter = dso_local global i32 3, align 4
@.str = private unnamed_addr constant [4 x i8] c"one\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"two\00", align 1
@names = dso_local local_unnamed_addr global [3 x ptr] [ptr @.str, ptr @.str.1, ptr null], align 16
@pool = internal global [4 x %struct.node] zeroinitializer, align 16
@__const.main.b = private unnamed_addr constant %struct.big { i64 1, i64 2, i64 3 }, align 8

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define dso_local i32 @first(ptr noundef readonly %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = icmp eq ptr %0, null
  br i1 %3, label %6, label %4

4:                                                ; preds = %2
  %5 = icmp eq i32 %1, 7
  br label %8

6:                                                ; preds = %34, %2
  %7 = phi i32 [ 0, %2 ], [ %35, %34 ]
  ret i32 %7

8:                                                ; preds = %4, %34
  %9 = phi i32 [ 0, %4 ], [ %36, %34 ]
  %10 = phi i32 [ 0, %4 ], [ %35, %34 ]
  %11 = phi ptr [ %0, %4 ], [ %38, %34 ]
  %12 = load i8, ptr %11, align 8
  %13 = shl i8 %12, 3
  %14 = ashr exact i8 %13, 3
  %15 = icmp sgt i8 %14, 2
  %16 = and i1 %5, %15
  br i1 %16, label %17, label %20

17:                                               ; preds = %8
  %18 = zext nneg i8 %14 to i32
  %19 = add nsw i32 %10, %18
  br label %25

20:                                               ; preds = %8
  %21 = getelementptr inbounds i8, ptr %11, i64 16
  %22 = load float, ptr %21, align 8, !tbaa !5
  %23 = fptosi float %22 to i32
  %24 = xor i32 %10, %23
  br label %25

25:                                               ; preds = %20, %17
  %26 = phi i32 [ %19, %17 ], [ %24, %20 ]
  %27 = lshr i8 %12, 5
  switch i8 %27, label %32 [
    i8 0, label %28
    i8 3, label %30
  ]

28:                                               ; preds = %25
  %29 = add nsw i32 %26, 1
  br label %34

30:                                               ; preds = %25
  %31 = add nsw i32 %26, -1
  br label %34

32:                                               ; preds = %25
  %33 = mul nsw i32 %26, 3
  br label %34

34:                                               ; preds = %28, %30, %32
  %35 = phi i32 [ %33, %32 ], [ %31, %30 ], [ %29, %28 ]
  %36 = add nuw nsw i32 %9, 1
  %37 = getelementptr inbounds i8, ptr %11, i64 8
  %38 = load ptr, ptr %37, align 8, !tbaa !8
  %39 = icmp ne ptr %38, null
  %40 = icmp ult i32 %9, 9
  %41 = select i1 %39, i1 %40, i1 false
  br i1 %41, label %8, label %6, !llvm.loop !12
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn uwtable
define dso_local void @make(ptr dead_on_unwind noalias nocapture writable writeonly sret(%struct.big) align 8 %0, ptr nocapture noundef byval(%struct.big) align 8 %1, i32 %2, ...) local_unnamed_addr #2 {
  %4 = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %4) #7
  call void @llvm.va_start.p0(ptr nonnull %4)
  %5 = load i32, ptr %4, align 16
  %6 = icmp ult i32 %5, 41
  br i1 %6, label %7, label %13

7:                                                ; preds = %3
  %8 = getelementptr inbounds i8, ptr %4, i64 16
  %9 = load ptr, ptr %8, align 16
  %10 = zext nneg i32 %5 to i64
  %11 = getelementptr i8, ptr %9, i64 %10
  %12 = add nuw nsw i32 %5, 8
  store i32 %12, ptr %4, align 16
  br label %17

13:                                               ; preds = %3
  %14 = getelementptr inbounds i8, ptr %4, i64 8
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr i8, ptr %15, i64 8
  store ptr %16, ptr %14, align 8
  br label %17

17:                                               ; preds = %13, %7
  %18 = phi ptr [ %11, %7 ], [ %15, %13 ]
  %19 = load i32, ptr %18, align 4, !tbaa !14
  %20 = sext i32 %19 to i64
  %21 = load i64, ptr %1, align 8, !tbaa !15
  %22 = add nsw i64 %21, %20
  store i64 %22, ptr %1, align 8, !tbaa !15
  call void @llvm.va_end.p0(ptr nonnull %4)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %0, ptr noundef nonnull align 8 dereferenceable(24) %1, i64 24, i1 false), !tbaa.struct !18
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %4) #7
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #3

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #4

; Function Attrs: nofree norecurse nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr nocapture noundef readnone %1) local_unnamed_addr #5 {
  %3 = alloca %struct.big, align 8
  %4 = and i32 %0, 3
  %5 = zext nneg i32 %4 to i64
  %6 = getelementptr inbounds [4 x %struct.node], ptr @pool, i64 0, i64 %5, i32 1
  store ptr @pool, ptr %6, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %3) #7
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %3, ptr noundef nonnull align 8 dereferenceable(24) @__const.main.b, i64 24, i1 false)
  call void (ptr, ptr, i32, ...) @make(ptr dead_on_unwind nonnull writable sret(%struct.big) align 8 %3, ptr noundef nonnull byval(%struct.big) align 8 @__const.main.b, i32 poison, i32 noundef %0)
  %7 = atomicrmw add ptr @counter, i32 %0 seq_cst, align 4
  br label %8

8:                                                ; preds = %24, %2
  %9 = phi i32 [ 0, %2 ], [ %26, %24 ]
  %10 = phi i32 [ 0, %2 ], [ %25, %24 ]
  %11 = phi ptr [ @pool, %2 ], [ %28, %24 ]
  %12 = load i8, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %11, i64 16
  %14 = load float, ptr %13, align 8, !tbaa !5
  %15 = fptosi float %14 to i32
  %16 = xor i32 %10, %15
  %17 = lshr i8 %12, 5
  switch i8 %17, label %22 [
    i8 0, label %18
    i8 3, label %20
  ]

18:                                               ; preds = %8
  %19 = add nsw i32 %16, 1
  br label %24

20:                                               ; preds = %8
  %21 = add nsw i32 %16, -1
  br label %24

22:                                               ; preds = %8
  %23 = mul nsw i32 %16, 3
  br label %24

24:                                               ; preds = %22, %20, %18
  %25 = phi i32 [ %23, %22 ], [ %21, %20 ], [ %19, %18 ]
  %26 = add nuw nsw i32 %9, 1
  %27 = getelementptr inbounds i8, ptr %11, i64 8
  %28 = load ptr, ptr %27, align 8, !tbaa !8
  %29 = icmp ne ptr %28, null
  %30 = icmp ult i32 %9, 9
  %31 = select i1 %29, i1 %30, i1 false
  br i1 %31, label %8, label %32, !llvm.loop !12

32:                                               ; preds = %24
  %33 = load i64, ptr %3, align 8, !tbaa !15
  %34 = trunc i64 %33 to i32
  %35 = and i32 %0, 1
  %36 = zext nneg i32 %35 to i64
  %37 = getelementptr inbounds [3 x ptr], ptr @names, i64 0, i64 %36
  %38 = load ptr, ptr %37, align 8, !tbaa !20
  %39 = load i8, ptr %38, align 1, !tbaa !5
  %40 = sext i8 %39 to i32
  %41 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %0)
  %42 = add i32 %25, %41
  %43 = add i32 %42, %34
  %44 = add i32 %43, %40
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %3) #7
  ret i32 %44
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #6

attributes #0 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nofree norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{!9, !11, i64 8}
!9 = !{!"node", !10, i64 0, !10, i64 0, !11, i64 8, !6, i64 16}
!10 = !{!"int", !6, i64 0}
!11 = !{!"any pointer", !6, i64 0}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.mustprogress"}
!14 = !{!10, !10, i64 0}
!15 = !{!16, !17, i64 0}
!16 = !{!"big", !17, i64 0, !17, i64 8, !17, i64 16}
!17 = !{!"long", !6, i64 0}
!18 = !{i64 0, i64 8, !19, i64 8, i64 8, !19, i64 16, i64 8, !19}
!19 = !{!17, !17, i64 0}
!20 = !{!11, !11, i64 0}
