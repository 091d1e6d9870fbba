; ModuleID = 'seed.c'
source_filename = "seed.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i8, ptr, %union.anon }
%union.anon = type { float }
%struct.big = type { i64, i64, i64 }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@counter = dso_local global i32 3, align 4, !dbg !0
@.str = private unnamed_addr constant [4 x i8] c"one\00", align 1, !dbg !13
@.str.1 = private unnamed_addr constant [4 x i8] c"two\00", align 1, !dbg !19
@names = dso_local global [3 x ptr] [ptr @.str, ptr @.str.1, ptr null], align 16, !dbg !21
@pool = internal global [4 x %struct.node] zeroinitializer, align 16, !dbg !28
@__const.main.b = private unnamed_addr constant %struct.big { i64 1, i64 2, i64 3 }, align 8

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @first(ptr noundef %n, i32 noundef %c) #0 !dbg !51 {
entry:
  %n.addr = alloca ptr, align 8
  %c.addr = alloca i32, align 4
  %total = alloca i32, align 4
  %i = alloca i32, align 4
  store ptr %n, ptr %n.addr, align 8
    #dbg_declare(ptr %n.addr, !57, !DIExpression(), !58)
  store i32 %c, ptr %c.addr, align 4
    #dbg_declare(ptr %c.addr, !59, !DIExpression(), !60)
    #dbg_declare(ptr %total, !61, !DIExpression(), !62)
  store i32 0, ptr %total, align 4, !dbg !62
    #dbg_declare(ptr %i, !63, !DIExpression(), !65)
  store i32 0, ptr %i, align 4, !dbg !65
  br label %for.cond, !dbg !66

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load ptr, ptr %n.addr, align 8, !dbg !67
  %tobool = icmp ne ptr %0, null, !dbg !67
  br i1 %tobool, label %land.rhs, label %land.end, !dbg !69

land.rhs:                                         ; preds = %for.cond
  %1 = load i32, ptr %i, align 4, !dbg !70
  %cmp = icmp slt i32 %1, 10, !dbg !71
  br label %land.end

land.end:                                         ; preds = %land.rhs, %for.cond
  %2 = phi i1 [ false, %for.cond ], [ %cmp, %land.rhs ], !dbg !72
  br i1 %2, label %for.body, label %for.end, !dbg !73

for.body:                                         ; preds = %land.end
  %3 = load ptr, ptr %n.addr, align 8, !dbg !74
  %bf.load = load i8, ptr %3, align 8, !dbg !77
  %bf.shl = shl i8 %bf.load, 3, !dbg !77
  %bf.ashr = ashr i8 %bf.shl, 3, !dbg !77
  %bf.cast = sext i8 %bf.ashr to i32, !dbg !77
  %cmp1 = icmp sgt i32 %bf.cast, 2, !dbg !78
  br i1 %cmp1, label %land.lhs.true, label %if.else, !dbg !79

land.lhs.true:                                    ; preds = %for.body
  %4 = load i32, ptr %c.addr, align 4, !dbg !80
  %cmp2 = icmp eq i32 %4, 7, !dbg !81
  br i1 %cmp2, label %if.then, label %if.else, !dbg !82

if.then:                                          ; preds = %land.lhs.true
  %5 = load ptr, ptr %n.addr, align 8, !dbg !83
  %bf.load3 = load i8, ptr %5, align 8, !dbg !84
  %bf.shl4 = shl i8 %bf.load3, 3, !dbg !84
  %bf.ashr5 = ashr i8 %bf.shl4, 3, !dbg !84
  %bf.cast6 = sext i8 %bf.ashr5 to i32, !dbg !84
  %6 = load i32, ptr %total, align 4, !dbg !85
  %add = add nsw i32 %6, %bf.cast6, !dbg !85
  store i32 %add, ptr %total, align 4, !dbg !85
  br label %if.end, !dbg !86

if.else:                                          ; preds = %land.lhs.true, %for.body
  %7 = load ptr, ptr %n.addr, align 8, !dbg !87
  %u = getelementptr inbounds %struct.node, ptr %7, i32 0, i32 2, !dbg !88
  %8 = load float, ptr %u, align 8, !dbg !89
  %conv = fptosi float %8 to i32, !dbg !90
  %9 = load i32, ptr %total, align 4, !dbg !91
  %xor = xor i32 %9, %conv, !dbg !91
  store i32 %xor, ptr %total, align 4, !dbg !91
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  %10 = load ptr, ptr %n.addr, align 8, !dbg !92
  %bf.load7 = load i8, ptr %10, align 8, !dbg !93
  %bf.lshr = lshr i8 %bf.load7, 5, !dbg !93
  %bf.cast8 = zext i8 %bf.lshr to i32, !dbg !93
  switch i32 %bf.cast8, label %sw.default [
    i32 0, label %sw.bb
    i32 3, label %sw.bb9
  ], !dbg !94

sw.bb:                                            ; preds = %if.end
  %11 = load i32, ptr %total, align 4, !dbg !95
  %inc = add nsw i32 %11, 1, !dbg !95
  store i32 %inc, ptr %total, align 4, !dbg !95
  br label %sw.epilog, !dbg !97

sw.bb9:                                           ; preds = %if.end
  %12 = load i32, ptr %total, align 4, !dbg !98
  %dec = add nsw i32 %12, -1, !dbg !98
  store i32 %dec, ptr %total, align 4, !dbg !98
  br label %sw.epilog, !dbg !99

sw.default:                                       ; preds = %if.end
  %13 = load i32, ptr %total, align 4, !dbg !100
  %mul = mul nsw i32 %13, 3, !dbg !100
  store i32 %mul, ptr %total, align 4, !dbg !100
  br label %sw.epilog, !dbg !101

sw.epilog:                                        ; preds = %sw.default, %sw.bb9, %sw.bb
  br label %for.inc, !dbg !102

for.inc:                                          ; preds = %sw.epilog
  %14 = load i32, ptr %i, align 4, !dbg !103
  %inc10 = add nsw i32 %14, 1, !dbg !103
  store i32 %inc10, ptr %i, align 4, !dbg !103
  %15 = load ptr, ptr %n.addr, align 8, !dbg !104
  %next = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 1, !dbg !105
  %16 = load ptr, ptr %next, align 8, !dbg !105
  store ptr %16, ptr %n.addr, align 8, !dbg !106
  br label %for.cond, !dbg !107, !llvm.loop !108

for.end:                                          ; preds = %land.end
  %17 = load i32, ptr %total, align 4, !dbg !111
  ret i32 %17, !dbg !112
}

; Function Attrs: noinline nounwind uwtable
define dso_local void @make(ptr dead_on_unwind noalias writable sret(%struct.big) align 8 %agg.result, ptr noundef byval(%struct.big) align 8 %x, i32 noundef %n, ...) #0 !dbg !113 {
entry:
  %n.addr = alloca i32, align 4
  %l = alloca [1 x %struct.__va_list_tag], align 16
    #dbg_declare(ptr %x, !122, !DIExpression(), !123)
  store i32 %n, ptr %n.addr, align 4
    #dbg_declare(ptr %n.addr, !124, !DIExpression(), !125)
    #dbg_declare(ptr %l, !126, !DIExpression(), !140)
  %arraydecay = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %l, i64 0, i64 0, !dbg !141
  call void @llvm.va_start.p0(ptr %arraydecay), !dbg !141
  %arraydecay1 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %l, i64 0, i64 0, !dbg !142
  %gp_offset_p = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay1, i32 0, i32 0, !dbg !142
  %gp_offset = load i32, ptr %gp_offset_p, align 16, !dbg !142
  %fits_in_gp = icmp ule i32 %gp_offset, 40, !dbg !142
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem, !dbg !142

vaarg.in_reg:                                     ; preds = %entry
  %0 = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay1, i32 0, i32 3, !dbg !142
  %reg_save_area = load ptr, ptr %0, align 16, !dbg !142
  %1 = getelementptr i8, ptr %reg_save_area, i32 %gp_offset, !dbg !142
  %2 = add i32 %gp_offset, 8, !dbg !142
  store i32 %2, ptr %gp_offset_p, align 16, !dbg !142
  br label %vaarg.end, !dbg !142

vaarg.in_mem:                                     ; preds = %entry
  %overflow_arg_area_p = getelementptr inbounds %struct.__va_list_tag, ptr %arraydecay1, i32 0, i32 2, !dbg !142
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8, !dbg !142
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i32 8, !dbg !142
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8, !dbg !142
  br label %vaarg.end, !dbg !142

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %1, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ], !dbg !142
  %3 = load i32, ptr %vaarg.addr, align 4, !dbg !142
  %conv = sext i32 %3 to i64, !dbg !142
  %a = getelementptr inbounds %struct.big, ptr %x, i32 0, i32 0, !dbg !143
  %4 = load i64, ptr %a, align 8, !dbg !144
  %add = add nsw i64 %4, %conv, !dbg !144
  store i64 %add, ptr %a, align 8, !dbg !144
  %arraydecay2 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %l, i64 0, i64 0, !dbg !145
  call void @llvm.va_end.p0(ptr %arraydecay2), !dbg !145
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %agg.result, ptr align 8 %x, i64 24, i1 false), !dbg !146
  ret void, !dbg !147
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main(i32 noundef %argc, ptr noundef %argv) #0 !dbg !148 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %f = alloca ptr, align 8
  %b = alloca %struct.big, align 8
  %tmp = alloca %struct.big, align 8
  %.atomictmp = alloca i32, align 4
  %atomic-temp = alloca i32, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
    #dbg_declare(ptr %argc.addr, !153, !DIExpression(), !154)
  store ptr %argv, ptr %argv.addr, align 8
    #dbg_declare(ptr %argv.addr, !155, !DIExpression(), !156)
    #dbg_declare(ptr %f, !157, !DIExpression(), !159)
  store ptr @first, ptr %f, align 8, !dbg !159
  %0 = load i32, ptr %argc.addr, align 4, !dbg !160
  %and = and i32 %0, 3, !dbg !161
  %idxprom = sext i32 %and to i64, !dbg !162
  %arrayidx = getelementptr inbounds [4 x %struct.node], ptr @pool, i64 0, i64 %idxprom, !dbg !162
  %next = getelementptr inbounds %struct.node, ptr %arrayidx, i32 0, i32 1, !dbg !163
  store ptr @pool, ptr %next, align 8, !dbg !164
    #dbg_declare(ptr %b, !165, !DIExpression(), !166)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %b, ptr align 8 @__const.main.b, i64 24, i1 false), !dbg !166
  %1 = load i32, ptr %argc.addr, align 4, !dbg !167
  call void (ptr, ptr, i32, ...) @make(ptr dead_on_unwind writable sret(%struct.big) align 8 %tmp, ptr noundef byval(%struct.big) align 8 %b, i32 noundef 1, i32 noundef %1), !dbg !168
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %b, ptr align 8 %tmp, i64 24, i1 false), !dbg !168
  %2 = load i32, ptr %argc.addr, align 4, !dbg !169
  store i32 %2, ptr %.atomictmp, align 4, !dbg !170
  %3 = load i32, ptr %.atomictmp, align 4, !dbg !170
  %4 = atomicrmw add ptr @counter, i32 %3 seq_cst, align 4, !dbg !170
  store i32 %4, ptr %atomic-temp, align 4, !dbg !170
  %5 = load i32, ptr %atomic-temp, align 4, !dbg !170
  %6 = load ptr, ptr %f, align 8, !dbg !171
  %call = call i32 %6(ptr noundef @pool, i32 noundef 0), !dbg !171
  %a = getelementptr inbounds %struct.big, ptr %b, i32 0, i32 0, !dbg !172
  %7 = load i64, ptr %a, align 8, !dbg !172
  %conv = trunc i64 %7 to i32, !dbg !173
  %add = add nsw i32 %call, %conv, !dbg !174
  %8 = load i32, ptr %argc.addr, align 4, !dbg !175
  %and1 = and i32 %8, 1, !dbg !176
  %idxprom2 = sext i32 %and1 to i64, !dbg !177
  %arrayidx3 = getelementptr inbounds [3 x ptr], ptr @names, i64 0, i64 %idxprom2, !dbg !177
  %9 = load ptr, ptr %arrayidx3, align 8, !dbg !177
  %arrayidx4 = getelementptr inbounds i8, ptr %9, i64 0, !dbg !177
  %10 = load i8, ptr %arrayidx4, align 1, !dbg !177
  %conv5 = sext i8 %10 to i32, !dbg !177
  %add6 = add nsw i32 %add, %conv5, !dbg !178
  %11 = load i32, ptr %argc.addr, align 4, !dbg !179
  %12 = call i32 @llvm.ctpop.i32(i32 %11), !dbg !180
  %add7 = add nsw i32 %add6, %12, !dbg !181
  ret i32 %add7, !dbg !182
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #3

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!43, !44, !45, !46, !47, !48, !49}
!llvm.ident = !{!50}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !3, line: 5, type: !11, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !10, globals: !12, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "seed.c", directory: "/src", checksumkind: CSK_MD5, checksum: "7a3de9f378bbd21350bdb2ae2a5045ad")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", file: !3, line: 3, baseType: !6, size: 32, elements: !7)
!6 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!7 = !{!8, !9}
!8 = !DIEnumerator(name: "RED", value: 0)
!9 = !DIEnumerator(name: "GREEN", value: 7)
!10 = !{!11}
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !{!0, !13, !19, !21, !28}
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(scope: null, file: !3, line: 6, type: !15, isLocal: true, isDefinition: true)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, size: 32, elements: !17)
!16 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!17 = !{!18}
!18 = !DISubrange(count: 4)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(scope: null, file: !3, line: 6, type: !15, isLocal: true, isDefinition: true)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "names", scope: !2, file: !3, line: 6, type: !23, isLocal: false, isDefinition: true)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 192, elements: !26)
!24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!25 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !16)
!26 = !{!27}
!27 = !DISubrange(count: 3)
!28 = !DIGlobalVariableExpression(var: !29, expr: !DIExpression())
!29 = distinct !DIGlobalVariable(name: "pool", scope: !2, file: !3, line: 4, type: !30, isLocal: true, isDefinition: true)
!30 = !DICompositeType(tag: DW_TAG_array_type, baseType: !31, size: 768, elements: !17)
!31 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 2, size: 192, elements: !32)
!32 = !{!33, !34, !35, !37}
!33 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !31, file: !3, line: 2, baseType: !11, size: 5, flags: DIFlagBitField, extraData: i64 0)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "flags", scope: !31, file: !3, line: 2, baseType: !6, size: 3, offset: 5, flags: DIFlagBitField, extraData: i64 0)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !31, file: !3, line: 2, baseType: !36, size: 64, offset: 64)
!36 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !31, file: !3, line: 2, baseType: !38, size: 32, offset: 128)
!38 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !31, file: !3, line: 2, size: 32, elements: !39)
!39 = !{!40, !42}
!40 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !38, file: !3, line: 2, baseType: !41, size: 32)
!41 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !38, file: !3, line: 2, baseType: !11, size: 32)
!43 = !{i32 7, !"Dwarf Version", i32 5}
!44 = !{i32 2, !"Debug Info Version", i32 3}
!45 = !{i32 1, !"wchar_size", i32 4}
!46 = !{i32 8, !"PIC Level", i32 2}
!47 = !{i32 7, !"PIE Level", i32 2}
!48 = !{i32 7, !"uwtable", i32 2}
!49 = !{i32 7, !"frame-pointer", i32 2}
!50 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!51 = distinct !DISubprogram(name: "first", scope: !3, file: !3, line: 7, type: !52, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !56)
!52 = !DISubroutineType(types: !53)
!53 = !{!11, !54, !5}
!54 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !55, size: 64)
!55 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !31)
!56 = !{}
!57 = !DILocalVariable(name: "n", arg: 1, scope: !51, file: !3, line: 7, type: !54)
!58 = !DILocation(line: 7, column: 30, scope: !51)
!59 = !DILocalVariable(name: "c", arg: 2, scope: !51, file: !3, line: 7, type: !5)
!60 = !DILocation(line: 7, column: 44, scope: !51)
!61 = !DILocalVariable(name: "total", scope: !51, file: !3, line: 8, type: !11)
!62 = !DILocation(line: 8, column: 7, scope: !51)
!63 = !DILocalVariable(name: "i", scope: !64, file: !3, line: 9, type: !11)
!64 = distinct !DILexicalBlock(scope: !51, file: !3, line: 9, column: 3)
!65 = !DILocation(line: 9, column: 12, scope: !64)
!66 = !DILocation(line: 9, column: 8, scope: !64)
!67 = !DILocation(line: 9, column: 19, scope: !68)
!68 = distinct !DILexicalBlock(scope: !64, file: !3, line: 9, column: 3)
!69 = !DILocation(line: 9, column: 21, scope: !68)
!70 = !DILocation(line: 9, column: 24, scope: !68)
!71 = !DILocation(line: 9, column: 26, scope: !68)
!72 = !DILocation(line: 0, scope: !68)
!73 = !DILocation(line: 9, column: 3, scope: !64)
!74 = !DILocation(line: 10, column: 9, scope: !75)
!75 = distinct !DILexicalBlock(scope: !76, file: !3, line: 10, column: 9)
!76 = distinct !DILexicalBlock(scope: !68, file: !3, line: 9, column: 50)
!77 = !DILocation(line: 10, column: 12, scope: !75)
!78 = !DILocation(line: 10, column: 18, scope: !75)
!79 = !DILocation(line: 10, column: 22, scope: !75)
!80 = !DILocation(line: 10, column: 25, scope: !75)
!81 = !DILocation(line: 10, column: 27, scope: !75)
!82 = !DILocation(line: 10, column: 9, scope: !76)
!83 = !DILocation(line: 10, column: 46, scope: !75)
!84 = !DILocation(line: 10, column: 49, scope: !75)
!85 = !DILocation(line: 10, column: 43, scope: !75)
!86 = !DILocation(line: 10, column: 37, scope: !75)
!87 = !DILocation(line: 10, column: 75, scope: !75)
!88 = !DILocation(line: 10, column: 78, scope: !75)
!89 = !DILocation(line: 10, column: 80, scope: !75)
!90 = !DILocation(line: 10, column: 70, scope: !75)
!91 = !DILocation(line: 10, column: 67, scope: !75)
!92 = !DILocation(line: 11, column: 13, scope: !76)
!93 = !DILocation(line: 11, column: 16, scope: !76)
!94 = !DILocation(line: 11, column: 5, scope: !76)
!95 = !DILocation(line: 11, column: 38, scope: !96)
!96 = distinct !DILexicalBlock(scope: !76, file: !3, line: 11, column: 23)
!97 = !DILocation(line: 11, column: 42, scope: !96)
!98 = !DILocation(line: 11, column: 62, scope: !96)
!99 = !DILocation(line: 11, column: 66, scope: !96)
!100 = !DILocation(line: 11, column: 88, scope: !96)
!101 = !DILocation(line: 11, column: 94, scope: !96)
!102 = !DILocation(line: 12, column: 3, scope: !76)
!103 = !DILocation(line: 9, column: 33, scope: !68)
!104 = !DILocation(line: 9, column: 41, scope: !68)
!105 = !DILocation(line: 9, column: 44, scope: !68)
!106 = !DILocation(line: 9, column: 39, scope: !68)
!107 = !DILocation(line: 9, column: 3, scope: !68)
!108 = distinct !{!108, !73, !109, !110}
!109 = !DILocation(line: 12, column: 3, scope: !64)
!110 = !{!"llvm.loop.mustprogress"}
!111 = !DILocation(line: 13, column: 10, scope: !51)
!112 = !DILocation(line: 13, column: 3, scope: !51)
!113 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 16, type: !114, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !56)
!114 = !DISubroutineType(types: !115)
!115 = !{!116, !116, !11, null}
!116 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "big", file: !3, line: 15, size: 192, elements: !117)
!117 = !{!118, !120, !121}
!118 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !116, file: !3, line: 15, baseType: !119, size: 64)
!119 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!120 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !116, file: !3, line: 15, baseType: !119, size: 64, offset: 64)
!121 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !116, file: !3, line: 15, baseType: !119, size: 64, offset: 128)
!122 = !DILocalVariable(name: "x", arg: 1, scope: !113, file: !3, line: 16, type: !116)
!123 = !DILocation(line: 16, column: 28, scope: !113)
!124 = !DILocalVariable(name: "n", arg: 2, scope: !113, file: !3, line: 16, type: !11)
!125 = !DILocation(line: 16, column: 35, scope: !113)
!126 = !DILocalVariable(name: "l", scope: !113, file: !3, line: 16, type: !127)
!127 = !DIDerivedType(tag: DW_TAG_typedef, name: "va_list", file: !128, line: 12, baseType: !129)
!128 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__stdarg_va_list.h", directory: "", checksumkind: CSK_MD5, checksum: "7bd78a282b99fcfe41a9e3c566d14f7d")
!129 = !DIDerivedType(tag: DW_TAG_typedef, name: "__builtin_va_list", file: !3, baseType: !130)
!130 = !DICompositeType(tag: DW_TAG_array_type, baseType: !131, size: 192, elements: !138)
!131 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__va_list_tag", size: 192, elements: !132)
!132 = !{!133, !134, !135, !137}
!133 = !DIDerivedType(tag: DW_TAG_member, name: "gp_offset", scope: !131, file: !3, line: 16, baseType: !6, size: 32)
!134 = !DIDerivedType(tag: DW_TAG_member, name: "fp_offset", scope: !131, file: !3, line: 16, baseType: !6, size: 32, offset: 32)
!135 = !DIDerivedType(tag: DW_TAG_member, name: "overflow_arg_area", scope: !131, file: !3, line: 16, baseType: !136, size: 64, offset: 64)
!136 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!137 = !DIDerivedType(tag: DW_TAG_member, name: "reg_save_area", scope: !131, file: !3, line: 16, baseType: !136, size: 64, offset: 128)
!138 = !{!139}
!139 = !DISubrange(count: 1)
!140 = !DILocation(line: 16, column: 53, scope: !113)
!141 = !DILocation(line: 16, column: 56, scope: !113)
!142 = !DILocation(line: 16, column: 79, scope: !113)
!143 = !DILocation(line: 16, column: 74, scope: !113)
!144 = !DILocation(line: 16, column: 76, scope: !113)
!145 = !DILocation(line: 16, column: 95, scope: !113)
!146 = !DILocation(line: 16, column: 113, scope: !113)
!147 = !DILocation(line: 16, column: 106, scope: !113)
!148 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 17, type: !149, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !56)
!149 = !DISubroutineType(types: !150)
!150 = !{!11, !11, !151}
!151 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !152, size: 64)
!152 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !16, size: 64)
!153 = !DILocalVariable(name: "argc", arg: 1, scope: !148, file: !3, line: 17, type: !11)
!154 = !DILocation(line: 17, column: 14, scope: !148)
!155 = !DILocalVariable(name: "argv", arg: 2, scope: !148, file: !3, line: 17, type: !151)
!156 = !DILocation(line: 17, column: 27, scope: !148)
!157 = !DILocalVariable(name: "f", scope: !148, file: !3, line: 18, type: !158)
!158 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !52, size: 64)
!159 = !DILocation(line: 18, column: 9, scope: !148)
!160 = !DILocation(line: 19, column: 8, scope: !148)
!161 = !DILocation(line: 19, column: 13, scope: !148)
!162 = !DILocation(line: 19, column: 3, scope: !148)
!163 = !DILocation(line: 19, column: 18, scope: !148)
!164 = !DILocation(line: 19, column: 23, scope: !148)
!165 = !DILocalVariable(name: "b", scope: !148, file: !3, line: 20, type: !116)
!166 = !DILocation(line: 20, column: 14, scope: !148)
!167 = !DILocation(line: 21, column: 18, scope: !148)
!168 = !DILocation(line: 21, column: 7, scope: !148)
!169 = !DILocation(line: 22, column: 32, scope: !148)
!170 = !DILocation(line: 22, column: 3, scope: !148)
!171 = !DILocation(line: 23, column: 10, scope: !148)
!172 = !DILocation(line: 23, column: 32, scope: !148)
!173 = !DILocation(line: 23, column: 25, scope: !148)
!174 = !DILocation(line: 23, column: 23, scope: !148)
!175 = !DILocation(line: 23, column: 42, scope: !148)
!176 = !DILocation(line: 23, column: 47, scope: !148)
!177 = !DILocation(line: 23, column: 36, scope: !148)
!178 = !DILocation(line: 23, column: 34, scope: !148)
!179 = !DILocation(line: 23, column: 76, scope: !148)
!180 = !DILocation(line: 23, column: 57, scope: !148)
!181 = !DILocation(line: 23, column: 55, scope: !148)
!182 = !DILocation(line: 23, column: 3, scope: !148)
