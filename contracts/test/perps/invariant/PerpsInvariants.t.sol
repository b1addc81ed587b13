// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IPerps, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {Engine} from "../../../src/Engine.sol";
import {Campaign} from "../../invariant/Campaign.sol";
import {PerpsDeploy} from "../PerpsDeploy.sol";
import {PerpsHandler} from "./PerpsHandler.sol";

/// Random calls; after each, what it touched agrees with the logs, and at intervals the whole storage
/// agrees with itself, with the token and with the logs.
contract PerpsInvariantsTest is Campaign, PerpsDeploy {
    PerpsHandler private handler;

    function setUp() external {
        vm.warp(1_750_000_000);
        PerpsHandler.Roles memory roles =
            PerpsHandler.Roles(address(0xA11), address(0x6A2D), address(0xFEED), address(0xADE1));
        uint256[2] memory houseSecrets = [uint256(0x1115), 0xFEE5];
        Accounts accounts = Accounts(
            vm.deployCode(
                "out/Accounts.sol/Accounts.json",
                abi.encode(vm.addr(houseSecrets[0]), vm.addr(houseSecrets[1]), "openvenue")
            )
        );
        PushOracle oracle =
            PushOracle(vm.deployCode("out/PushOracle.sol/PushOracle.json", abi.encode(roles.owner, roles.pusher)));
        DevToken usdc = new DevToken("USD Coin", "USDC", 6);
        IPerps perps = _deployPerps(accounts, oracle, address(usdc), roles.owner);
        PerpParameters memory parameters = PerpParameters({
            minOrderValue: 10e18,
            maxOrderValue: 100_000e18,
            maxNotionalValue: 250_000e18,
            maxOpenInterest: 150_000,
            maxLeverage: 20,
            makerFee: -50,
            takerFee: 350
        });
        vm.startPrank(roles.owner);
        perps.list("ETH-PERP", "ETH", 1e16, 1e15, 50, parameters);
        perps.list("BTC-PERP", "BTC", 1e17, 1e14, 50, parameters);
        Engine(address(perps)).setGuardian(roles.guardian);
        perps.setDeleverager(roles.deleverager);
        vm.stopPrank();
        handler = new PerpsHandler(accounts, oracle, perps, usdc, roles, parameters, houseSecrets);
        _start(address(handler), _selectors());
    }

    function _selectors() private view returns (bytes4[] memory selectors) {
        selectors = new bytes4[](34);
        selectors[0] = handler.cancel.selector;
        selectors[1] = handler.cancelAll.selector;
        selectors[2] = handler.reduce.selector;
        selectors[3] = handler.sweep.selector;
        selectors[4] = handler.deposit.selector;
        selectors[5] = handler.withdraw.selector;
        selectors[6] = handler.donate.selector;
        selectors[7] = handler.transfer.selector;
        selectors[8] = handler.collect.selector;
        selectors[9] = handler.wait_.selector;
        selectors[10] = handler.halt.selector;
        selectors[11] = handler.register.selector;
        selectors[12] = handler.revoke.selector;
        selectors[13] = handler.placeSigned.selector;
        selectors[14] = handler.placeMany.selector;
        selectors[15] = handler.resend.selector;
        selectors[16] = handler.cancelSigned.selector;
        selectors[17] = handler.arm.selector;
        selectors[18] = handler.fire.selector;
        selectors[19] = handler.burn.selector;
        selectors[20] = handler.setLeverage.selector;
        selectors[21] = handler.poke.selector;
        selectors[22] = handler.change.selector;
        selectors[23] = handler.tighten.selector;
        selectors[24] = handler.cancelFor.selector;
        selectors[25] = handler.liquidate.selector;
        selectors[26] = handler.liquidate.selector;
        selectors[27] = handler.squeeze.selector;
        selectors[28] = handler.squeeze.selector;
        selectors[29] = handler.deleverage.selector;
        selectors[30] = handler.move.selector;
        selectors[31] = handler.move.selector;
        selectors[32] = handler.placeSigned.selector;
        selectors[33] = handler.placeSigned.selector;
    }

    /// A campaign that meets nothing shows nothing.
    function test_the_random_traders_reach_every_corner() external {
        string[] memory corners = new string[](48);
        corners[0] = "placed";
        corners[1] = "reduce-only";
        corners[2] = "reduce-only filled";
        corners[3] = "refused";
        corners[4] = "filled";
        corners[5] = "cancelled";
        corners[6] = "reduced";
        corners[7] = "swept";
        corners[8] = "withdrawn";
        corners[9] = "withdrawn all";
        corners[10] = "withdrawal refused";
        corners[11] = "transferred";
        corners[12] = "collected";
        corners[13] = "leverage";
        corners[14] = "poked";
        corners[15] = "marked";
        corners[16] = "marked without a mid";
        corners[17] = "hour settled";
        corners[18] = "changed";
        corners[19] = "tightened";
        corners[20] = "registered";
        corners[21] = "registration replayed";
        corners[22] = "registration refused";
        corners[23] = "revoked";
        corners[24] = "signer refused";
        corners[25] = "placed signed";
        corners[26] = "triggered";
        corners[27] = "replaced";
        corners[28] = "order replayed";
        corners[29] = "placed in a batch";
        corners[30] = "cancelled signed";
        corners[31] = "fired";
        corners[32] = "fired again";
        corners[33] = "disarmed";
        corners[34] = "burnt signed";
        corners[35] = "cancelled for";
        corners[36] = "liquidated";
        corners[37] = "liquidated in part";
        corners[38] = "keeper rewarded";
        corners[39] = "healthy spared";
        corners[40] = "under water";
        corners[41] = "too soon";
        corners[42] = "absorbed";
        corners[43] = "absorbed at a loss";
        corners[44] = "insurance exhausted";
        corners[45] = "deleveraged";
        corners[46] = "insurance deleveraged";
        corners[47] = "deleveraging refused";
        _walk(8_000, corners);
    }
}
