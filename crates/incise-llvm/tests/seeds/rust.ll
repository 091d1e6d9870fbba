; ModuleID = 'seed.f31da821e36186b7-cgu.0'
source_filename = "seed.f31da821e36186b7-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@anon.5bc04b422aab9be0f2ec4ae2f4452766.0 = private unnamed_addr constant <{ [4 x i8], [4 x i8] }> <{ [4 x i8] zeroinitializer, [4 x i8] undef }>, align 4
@alloc_6ecd65451caab2126d0bace6fa8be1b7 = private unnamed_addr constant [8 x i8] c"seed.rs\00", align 1
@alloc_a6f00bbda6ad352291c1dba2df4598cb = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_6ecd65451caab2126d0bace6fa8be1b7, [16 x i8] c"\07\00\00\00\00\00\00\00\03\00\00\00\\\00\00\00" }>, align 8
@alloc_306830ada1edd0a0b7fc86c3a93d0a32 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_6ecd65451caab2126d0bace6fa8be1b7, [16 x i8] c"\07\00\00\00\00\00\00\00\03\00\00\00\88\00\00\00" }>, align 8

; core::intrinsics::cold_path
; Function Attrs: cold nounwind nonlazybind uwtable
define internal void @_ZN4core10intrinsics9cold_path17hc3b2314ca427f9f1E() unnamed_addr #0 {
start:
  ret void
}

; core::num::<impl u32>::checked_add
; Function Attrs: inlinehint nonlazybind uwtable
define internal { i32, i32 } @"_ZN4core3num21_$LT$impl$u20$u32$GT$11checked_add17h5b206083f9086d91E"(i32 %self, i32 %rhs) unnamed_addr #1 {
start:
  %_0 = alloca [8 x i8], align 4
  %_4.0 = add i32 %self, %rhs
  %_4.1 = icmp ult i32 %_4.0, %self
  br i1 %_4.1, label %bb2, label %bb4

bb4:                                              ; preds = %start
  %_5 = add nuw i32 %self, %rhs
  %0 = getelementptr inbounds i8, ptr %_0, i64 4
  store i32 %_5, ptr %0, align 4
  store i32 1, ptr %_0, align 4
  br label %bb1

bb2:                                              ; preds = %start
  %1 = load i32, ptr @anon.5bc04b422aab9be0f2ec4ae2f4452766.0, align 4
  %2 = load i32, ptr getelementptr inbounds (i8, ptr @anon.5bc04b422aab9be0f2ec4ae2f4452766.0, i64 4), align 4
  store i32 %1, ptr %_0, align 4
  %3 = getelementptr inbounds i8, ptr %_0, i64 4
  store i32 %2, ptr %3, align 4
  br label %bb1

bb1:                                              ; preds = %bb2, %bb4
  %4 = load i32, ptr %_0, align 4
  %5 = getelementptr inbounds i8, ptr %_0, i64 4
  %6 = load i32, ptr %5, align 4
  %7 = insertvalue { i32, i32 } poison, i32 %4, 0
  %8 = insertvalue { i32, i32 } %7, i32 %6, 1
  ret { i32, i32 } %8
}

; core::slice::iter::<impl core::iter::traits::collect::IntoIterator for &[T]>::into_iter
; Function Attrs: nonlazybind uwtable
define { ptr, ptr } @"_ZN4core5slice4iter87_$LT$impl$u20$core..iter..traits..collect..IntoIterator$u20$for$u20$$RF$$u5b$T$u5d$$GT$9into_iter17h00829e73f720e202E"(ptr align 2 %self.0, i64 %self.1) unnamed_addr #2 {
start:
  %end_or_len = alloca [8 x i8], align 8
  br label %bb2

bb2:                                              ; preds = %start
  %_6 = getelementptr inbounds nuw i16, ptr %self.0, i64 %self.1
  store ptr %_6, ptr %end_or_len, align 8
  br label %bb3

bb3:                                              ; preds = %bb2
  %_0.1 = load ptr, ptr %end_or_len, align 8
  %0 = insertvalue { ptr, ptr } poison, ptr %self.0, 0
  %1 = insertvalue { ptr, ptr } %0, ptr %_0.1, 1
  ret { ptr, ptr } %1

bb1:                                              ; No predecessors!
  unreachable
}

; core::option::Option<T>::unwrap_or
; Function Attrs: inlinehint nonlazybind uwtable
define i32 @"_ZN4core6option15Option$LT$T$GT$9unwrap_or17h8f8eaf0285a4462dE"(i32 %0, i32 %1, i32 %default) unnamed_addr #1 {
start:
  %x = alloca [4 x i8], align 4
  %self = alloca [8 x i8], align 4
  store i32 %0, ptr %self, align 4
  %2 = getelementptr inbounds i8, ptr %self, i64 4
  store i32 %1, ptr %2, align 4
  %3 = load i32, ptr %self, align 4
  %4 = getelementptr inbounds i8, ptr %self, i64 4
  %5 = load i32, ptr %4, align 4
  %_3 = zext i32 %3 to i64
  %6 = trunc nuw i64 %_3 to i1
  br i1 %6, label %bb3, label %bb2

bb3:                                              ; preds = %start
  %7 = getelementptr inbounds i8, ptr %self, i64 4
  %8 = load i32, ptr %7, align 4
  store i32 %8, ptr %x, align 4
  br label %bb4

bb2:                                              ; preds = %start
  store i32 %default, ptr %x, align 4
  br label %bb4

bb4:                                              ; preds = %bb3, %bb2
  %9 = load i32, ptr %x, align 4
  ret i32 %9

bb1:                                              ; No predecessors!
  unreachable
}

; <&f64 as core::ops::arith::Mul<f64>>::mul
; Function Attrs: inlinehint nonlazybind uwtable
define internal double @"_ZN60_$LT$$RF$f64$u20$as$u20$core..ops..arith..Mul$LT$f64$GT$$GT$3mul17he60d4119e7550702E"(ptr align 8 %self, double %other, ptr align 8 %0) unnamed_addr #1 {
start:
  %_3 = load double, ptr %self, align 8
  %_0 = fmul double %_3, %other
  ret double %_0
}

; <core::slice::iter::Iter<T> as core::iter::traits::iterator::Iterator>::next
; Function Attrs: inlinehint nonlazybind uwtable
define align 2 ptr @"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h9d92b9ad0ae42395E"(ptr align 8 %self) unnamed_addr #1 {
start:
  %_0 = alloca [8 x i8], align 8
  %ptr = load ptr, ptr %self, align 8
  %0 = getelementptr inbounds i8, ptr %self, i64 8
  %end_or_len = load ptr, ptr %0, align 8
  br label %bb4

bb4:                                              ; preds = %start
  %_6 = icmp eq ptr %ptr, %end_or_len
  br i1 %_6, label %bb5, label %bb6

bb6:                                              ; preds = %bb4
  %_16 = getelementptr inbounds nuw i16, ptr %ptr, i64 1
  store ptr %_16, ptr %self, align 8
  br label %bb7

bb5:                                              ; preds = %bb4
  store ptr null, ptr %_0, align 8
  br label %bb8

bb7:                                              ; preds = %bb6
  store ptr %ptr, ptr %_0, align 8
  br label %bb8

bb8:                                              ; preds = %bb5, %bb7
  %1 = load ptr, ptr %_0, align 8
  ret ptr %1

bb1:                                              ; No predecessors!
  unreachable

bb2:                                              ; No predecessors!
  unreachable

bb3:                                              ; No predecessors!
  unreachable

bb9:                                              ; No predecessors!
  unreachable

bb10:                                             ; No predecessors!
  unreachable
}

; Function Attrs: nonlazybind uwtable
define i64 @area(ptr align 8 %shape) unnamed_addr #2 {
start:
  %_0 = alloca [8 x i8], align 8
  %0 = load i32, ptr %shape, align 8
  %_2 = zext i32 %0 to i64
  switch i64 %_2, label %bb1 [
    i64 0, label %bb4
    i64 1, label %bb3
    i64 2, label %bb2
  ]

bb1:                                              ; preds = %start
  unreachable

bb4:                                              ; preds = %start
  %r = getelementptr inbounds i8, ptr %shape, i64 8
; call <&f64 as core::ops::arith::Mul<f64>>::mul
  %_4 = call double @"_ZN60_$LT$$RF$f64$u20$as$u20$core..ops..arith..Mul$LT$f64$GT$$GT$3mul17he60d4119e7550702E"(ptr align 8 %r, double 3.000000e+00, ptr align 8 @alloc_a6f00bbda6ad352291c1dba2df4598cb) #5
  %1 = call i64 @llvm.fptoui.sat.i64.f64(double %_4)
  store i64 %1, ptr %_0, align 8
  br label %bb8

bb3:                                              ; preds = %start
  %side = getelementptr inbounds i8, ptr %shape, i64 4
  %_7 = load i32, ptr %side, align 4
  %_0.i = zext i32 %_7 to i64
  %2 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %_0.i, i64 2)
  %_8.0 = extractvalue { i64, i1 } %2, 0
  %_8.1 = extractvalue { i64, i1 } %2, 1
  br i1 %_8.1, label %panic, label %bb7

bb2:                                              ; preds = %start
  store i64 0, ptr %_0, align 8
  br label %bb8

bb8:                                              ; preds = %bb2, %bb7, %bb4
  %3 = load i64, ptr %_0, align 8
  ret i64 %3

bb7:                                              ; preds = %bb3
  store i64 %_8.0, ptr %_0, align 8
  br label %bb8

panic:                                            ; preds = %bb3
; call core::panicking::panic_const::panic_const_mul_overflow
  call void @_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const24panic_const_mul_overflow(ptr align 8 @alloc_306830ada1edd0a0b7fc86c3a93d0a32) #6
  unreachable
}

; Function Attrs: nonlazybind uwtable
define i32 @total(ptr align 2 %v.0, i64 %v.1) unnamed_addr #2 {
start:
  %_5 = alloca [8 x i8], align 8
  %iter = alloca [16 x i8], align 8
  %t = alloca [4 x i8], align 4
  store i32 0, ptr %t, align 4
; call core::slice::iter::<impl core::iter::traits::collect::IntoIterator for &[T]>::into_iter
  %0 = call { ptr, ptr } @"_ZN4core5slice4iter87_$LT$impl$u20$core..iter..traits..collect..IntoIterator$u20$for$u20$$RF$$u5b$T$u5d$$GT$9into_iter17h00829e73f720e202E"(ptr align 2 %v.0, i64 %v.1)
  %_3.0 = extractvalue { ptr, ptr } %0, 0
  %_3.1 = extractvalue { ptr, ptr } %0, 1
  store ptr %_3.0, ptr %iter, align 8
  %1 = getelementptr inbounds i8, ptr %iter, i64 8
  store ptr %_3.1, ptr %1, align 8
  br label %bb2

bb2:                                              ; preds = %bb5, %start
; call <core::slice::iter::Iter<T> as core::iter::traits::iterator::Iterator>::next
  %2 = call align 2 ptr @"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17h9d92b9ad0ae42395E"(ptr align 8 %iter) #5
  store ptr %2, ptr %_5, align 8
  %3 = load ptr, ptr %_5, align 8
  %4 = ptrtoint ptr %3 to i64
  %5 = icmp eq i64 %4, 0
  %_7 = select i1 %5, i64 0, i64 1
  %6 = trunc nuw i64 %_7 to i1
  br i1 %6, label %bb5, label %bb6

bb5:                                              ; preds = %bb2
  %x = load ptr, ptr %_5, align 8
  %_11 = load i32, ptr %t, align 4
  %_13 = load i16, ptr %x, align 2
  %_0.i = zext i16 %_13 to i32
; call core::num::<impl u32>::checked_add
  %7 = call { i32, i32 } @"_ZN4core3num21_$LT$impl$u20$u32$GT$11checked_add17h5b206083f9086d91E"(i32 %_11, i32 %_0.i) #5
  %_10.0 = extractvalue { i32, i32 } %7, 0
  %_10.1 = extractvalue { i32, i32 } %7, 1
; call core::option::Option<T>::unwrap_or
  %_9 = call i32 @"_ZN4core6option15Option$LT$T$GT$9unwrap_or17h8f8eaf0285a4462dE"(i32 %_10.0, i32 %_10.1, i32 1) #5
  store i32 %_9, ptr %t, align 4
  br label %bb2

bb6:                                              ; preds = %bb2
  %_0 = load i32, ptr %t, align 4
  ret i32 %_0

bb4:                                              ; No predecessors!
  unreachable
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fptoui.sat.i64.f64(double) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #3

; core::panicking::panic_const::panic_const_mul_overflow
; Function Attrs: cold noinline noreturn nonlazybind uwtable
declare void @_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const24panic_const_mul_overflow(ptr align 8) unnamed_addr #4

attributes #0 = { cold nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { inlinehint nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { cold noinline noreturn nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #5 = { inlinehint }
attributes #6 = { noinline noreturn }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
